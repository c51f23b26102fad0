// SPDX-License-Identifier: Apache-2.0

// A pod's topology spread constraints, compiled; those of the profile if the pod has none.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "scheduling/cluster/cluster.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

enum class InclusionPolicy : std::uint8_t { kHonor, kIgnore };

struct SpreadConstraint {
  NameId topology_key = 0;
  bool is_by_host = false;  // the key is kubernetes.io/hostname
  std::int64_t max_skew = 0;
  std::int64_t min_domains = 1;
  SelectorId selector = 0;
  bool selects_itself = false;     // the selector matches the incoming pod
  bool is_empty_selector = false;  // a selector that matches everything counts no existing pod
  InclusionPolicy affinity_policy = InclusionPolicy::kHonor;
  InclusionPolicy taints_policy = InclusionPolicy::kIgnore;
};

// If a selector cannot be compiled, holds the API's error text.
using CompiledConstraints = std::expected<std::vector<SpreadConstraint>, std::string>;

struct SpreadConstraints {
  CompiledConstraints hard{};  // DoNotSchedule
  CompiledConstraints soft{};  // ScheduleAnyway
  // The soft constraints are the System defaults, for which a node may lack the keys.
  bool tolerates_missing_keys = false;
};

[[nodiscard]] SpreadConstraints compile_spread(const api::Pod& pod, LabelSetId pod_labels,
                                               const PodTopologySpreadArgs& args, Cluster& cluster);

}  // namespace berth::scheduling
