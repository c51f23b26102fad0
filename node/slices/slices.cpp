// SPDX-License-Identifier: Apache-2.0

#include "node/slices/slices.hpp"

#include <limits>

#include "node/cgroups/cpu_shares.hpp"

namespace berth::node {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kSecond = 1'000'000;  // µs
// systemd stores a quota in steps of 1 % of a processor, and would round a smaller one down.
constexpr std::uint64_t kQuotaStep = 10'000;  // µs in a second

std::uint64_t quota_per_second(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) return kNoLimit;
  const auto exact =
      static_cast<std::uint64_t>(quota) * kSecond / static_cast<std::uint64_t>(period);
  return (exact + kQuotaStep - 1) / kQuotaStep * kQuotaStep;
}

}  // namespace

std::vector<SliceProperty> slice_properties(const CgroupValues& values, int cgroup_version) {
  const bool v2 = cgroup_version == 2;
  std::vector<SliceProperty> properties;
  const auto add = [&](const char* name, std::uint64_t value) {
    properties.push_back({.name = name, .value = value});
  };
  if (values.cpu_shares) {
    const std::int64_t share = v2 ? weight_from_shares(*values.cpu_shares) : *values.cpu_shares;
    add(v2 ? "CPUWeight" : "CPUShares", static_cast<std::uint64_t>(share));
  }
  if (values.cpu_quota) {
    const std::int64_t period = values.cpu_period.value_or(kDefaultQuotaPeriod);
    add("CPUQuotaPeriodUSec", static_cast<std::uint64_t>(period));
    add("CPUQuotaPerSecUSec", quota_per_second(*values.cpu_quota, period));
  }
  if (values.memory_limit && *values.memory_limit > 0)
    add(v2 ? "MemoryMax" : "MemoryLimit", static_cast<std::uint64_t>(*values.memory_limit));
  if (values.pids_limit) {
    add("TasksMax",
        *values.pids_limit > 0 ? static_cast<std::uint64_t>(*values.pids_limit) : kNoLimit);
  }
  return properties;
}

}  // namespace berth::node
