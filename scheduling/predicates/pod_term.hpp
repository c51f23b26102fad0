// SPDX-License-Identifier: Apache-2.0

// A term of pod affinity or anti-affinity with compiled selectors: which pods it matches, in which
// namespaces, and under which topology key.
//
// Pure.
#pragma once

#include <expected>
#include <set>
#include <string>

#include "api/affinity.hpp"
#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {

struct PodTerm {
  std::string topology_key{};
  LabelSelector selector{};
  // The listed namespaces; the owner's own if the term neither lists nor selects any.
  std::set<std::string> namespaces{};
  LabelSelector namespace_selector{};
};

// If a selector cannot be compiled, returns the API's error text.
[[nodiscard]] std::expected<PodTerm, std::string> compile_pod_term(
    const api::PodAffinityTerm& stated, const std::string& owner_namespace);

}  // namespace berth::scheduling
