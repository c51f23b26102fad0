// SPDX-License-Identifier: Apache-2.0

// The values of the cgroups that berth itself creates: kubepods, its tiers, pods.
//
// Pure. Unset values are not written. The cgroups of containers belong to the runtime
// (container_resources.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "api/pod.hpp"
#include "node/node_config.hpp"
#include "node/qos.hpp"

namespace berth::node {

struct CgroupValues {
  std::optional<std::int64_t> cpu_shares{};
  std::optional<std::int64_t> cpu_quota{};   // µs; -1: unlimited
  std::optional<std::int64_t> cpu_period{};  // µs
  std::optional<std::int64_t> memory_limit{};
  std::optional<std::int64_t> pids_limit{};
  std::map<std::int64_t, std::int64_t> hugepage_limits{};  // page size -> bytes

  bool operator==(const CgroupValues&) const = default;
};

// Page sizes that the kernel has but the pod does not request are set to 0 by the writer.
[[nodiscard]] CgroupValues pod_cgroup_values(const NodeConfig& config, const api::Pod& pod);

// Burstable: shares for all cpu requests of `active`; BestEffort: the least shares. Huge pages are
// unlimited in both, or the pods below could have none. Guaranteed: no values (it is kubepods
// itself).
[[nodiscard]] CgroupValues tier_cgroup_values(const NodeFacts& facts, QosClass qos,
                                              const std::vector<const api::Pod*>& active);

// Capacity minus the reservations (but not the eviction thresholds), if that limit is enforced on
// pods.
[[nodiscard]] CgroupValues kubepods_cgroup_values(const NodeConfig& config, const NodeFacts& facts);

}  // namespace berth::node
