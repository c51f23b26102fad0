// SPDX-License-Identifier: Apache-2.0

// A pod's affinity and anti-affinity terms, compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "scheduling/cluster/vocabulary.hpp"

namespace berth::scheduling {

struct AffinityTerm {
  NameId topology_key = 0;
  SelectorId selector = 0;
  // The namespaces of the term; the owner's own if it has neither a list nor a selector.
  std::vector<NameId> namespaces{};
  SelectorId namespace_selector = 0;
  std::int32_t weight = 0;  // of preferred terms

  bool operator==(const AffinityTerm&) const = default;
};

struct AffinityTerms {
  std::vector<AffinityTerm> required_affinity{};
  std::vector<AffinityTerm> required_anti_affinity{};
  std::vector<AffinityTerm> preferred_affinity{};
  std::vector<AffinityTerm> preferred_anti_affinity{};

  [[nodiscard]] bool is_empty() const {
    return required_affinity.empty() && required_anti_affinity.empty() && has_no_preference();
  }
  [[nodiscard]] bool has_no_preference() const {
    return preferred_affinity.empty() && preferred_anti_affinity.empty();
  }
  // Equal terms give equal texts.
  [[nodiscard]] std::string to_key() const;
};

struct CompiledAffinity {
  AffinityTerms terms{};
  // The errors of omitted terms, with the API's messages; empty if there are none. One invalid term
  // in a group (required, preferred; affinity, anti-affinity) drops the whole group.
  std::string problem{};
};

[[nodiscard]] CompiledAffinity compile_affinity(const api::Pod& pod, Vocabulary& vocabulary);

}  // namespace berth::scheduling
