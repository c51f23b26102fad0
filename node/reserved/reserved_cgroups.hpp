// SPDX-License-Identifier: Apache-2.0

// The cgroups of the machine's own processes, and their limits: what is reserved for these
// processes is also the most that they may use.
//
// Pure. Cgroups are named per driver, as in the kubelet: cgroupfs "/a/b"; systemd "/x/a-b.slice",
// of which only the last part counts. Texts are the kubelet's.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "node/cgroups/cgroup_name.hpp"
#include "node/cgroups/cgroup_values.hpp"
#include "node/node_config.hpp"

namespace berth::node {

enum class ReservedFor : std::uint8_t { kSystem, kKube };
// kCompressible: only resources whose shortage slows processes down (the CPU) but fails none.
enum class ReservedLimits : std::uint8_t { kAll, kCompressible };

// system-reserved, kube-reserved and their -compressible forms of enforceNodeAllocatable.
struct ReservedEnforcement {
  ReservedFor whom = ReservedFor::kSystem;
  ReservedLimits limits = ReservedLimits::kAll;
  std::string cgroup{};  // as configured

  bool operator==(const ReservedEnforcement&) const = default;
};

struct ReservedCgroup {
  CgroupName name{};  // its path below the cgroup mount, by components
  CgroupValues values{};

  bool operator==(const ReservedCgroup&) const = default;
};

// Fails if nothing is reserved for these processes, so that there is no limit to enforce.
[[nodiscard]] Result<ReservedCgroup> reserved_cgroup(const ReservedEnforcement& enforcement,
                                                     const NodeConfig& config);

// Reasons of the node's events: Normal and Warning.
inline constexpr const char* kReasonNodeAllocatableEnforced = "NodeAllocatableEnforced";
inline constexpr const char* kReasonFailedNodeAllocatable = "FailedNodeAllocatableEnforcement";
[[nodiscard]] std::string limits_updated(const ReservedEnforcement& enforcement);
[[nodiscard]] std::string limits_failed(const ReservedEnforcement& enforcement,
                                        const std::string& why);

// The same for kubepods.
inline constexpr const char* kPodsLimitUpdated = "Updated Node Allocatable limit across pods";
[[nodiscard]] std::string pods_limit_failed(const NodeConfig& config, const std::string& why);

}  // namespace berth::node
