// SPDX-License-Identifier: Apache-2.0

// A pod as the scheduler sees it on a node: what it uses there, and what other pods' terms may
// match on.
//
// Compiled once from the API object; nothing else reads the object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "scheduling/cluster/affinity_terms.hpp"
#include "scheduling/predicates/host_ports.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::scheduling {

using AffinityTermsId = std::uint32_t;
inline constexpr AffinityTermsId kNoAffinityTerms = 0;

enum class PodEnding : std::uint8_t {
  kNone,
  kTerminating,  // it has a deletion timestamp
  kPreempted,    // terminating because the scheduler preempted it
};

struct PodInfo {
  std::string key{};   // the uid, or namespace/name without one
  std::string name{};  // without the namespace
  NameId namespace_ = 0;
  LabelSetId labels = 0;
  AffinityTermsId terms = kNoAffinityTerms;
  PodEnding ending = PodEnding::kNone;
  std::int32_t priority = 0;
  ResourceAmounts requests{};
  // cpu and memory, counting 100m and 200Mi for containers without requests.
  std::int64_t nonzero_milli_cpu = 0;
  std::int64_t nonzero_memory = 0;
  std::vector<HostPort> ports{};
  std::optional<api::Time> start_time{};

  [[nodiscard]] bool is_terminating() const { return ending != PodEnding::kNone; }
};

[[nodiscard]] std::int32_t priority_of(const api::Pod& pod);
// namespace/name
[[nodiscard]] std::string full_name_of(const api::Pod& pod);
[[nodiscard]] std::string pod_key(const api::Pod& pod);

// Requests assumed for a container without any.
[[nodiscard]] const api::ResourceList& default_container_requests();

}  // namespace berth::scheduling
