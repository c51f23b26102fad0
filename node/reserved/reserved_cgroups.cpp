// SPDX-License-Identifier: Apache-2.0

#include "node/reserved/reserved_cgroups.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "node/cgroups/cpu_shares.hpp"

namespace berth::node {
namespace {

constexpr std::string_view kSlice = ".slice";

CgroupName slice_name(std::string_view configured) {
  std::string_view base = configured.substr(configured.rfind('/') + 1);
  if (base.ends_with(kSlice)) base.remove_suffix(kSlice.size());
  CgroupName name;
  while (!base.empty()) {
    const auto dash = base.find('-');
    name.emplace_back(base.substr(0, dash));
    base.remove_prefix(dash == std::string_view::npos ? base.size() : dash + 1);
  }
  return name;
}

CgroupName place_of(std::string_view configured, CgroupDriver driver) {
  if (driver == CgroupDriver::kCgroupfs) return parse_cgroup_name(configured);
  return parse_cgroup_name(systemd_path(slice_name(configured)));
}

}  // namespace

Result<ReservedCgroup> reserved_cgroup(const ReservedEnforcement& wish, const NodeConfig& config) {
  const auto& reserved =
      wish.whom == ReservedFor::kSystem ? config.system_reserved : config.kube_reserved;
  if (reserved.empty()) {
    const char* field = wish.whom == ReservedFor::kSystem ? "systemReserved" : "kubeReserved";
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" cgroup is not configured properly: {} reserves nothing for it",
                            wish.cgroup, field));
  }
  ReservedCgroup out{.name = place_of(wish.cgroup, config.cgroup_driver)};
  const auto cpu = reserved.find("cpu");
  if (cpu != reserved.end())
    out.values.cpu_shares = shares_from_milli_cpu(cpu->second.milli_value());
  if (wish.limits == ReservedLimits::kCompressible) return out;
  const auto memory = reserved.find("memory");
  if (memory != reserved.end()) out.values.memory_limit = memory->second.value();
  const auto pids = reserved.find("pid");
  if (pids != reserved.end()) out.values.pids_limit = pids->second.value();
  return out;
}

std::string limits_updated(const ReservedEnforcement& wish) {
  return fmt::format("Updated limits on {} reserved cgroup {}",
                     wish.whom == ReservedFor::kSystem ? "system" : "kube", wish.cgroup);
}

std::string limits_failed(const ReservedEnforcement& wish, const std::string& why) {
  return fmt::format("Failed to enforce {} Reserved {}Cgroup Limits on \"{}\": {}",
                     wish.whom == ReservedFor::kSystem ? "System" : "Kube",
                     wish.limits == ReservedLimits::kCompressible ? "Compressible " : "",
                     wish.cgroup, why);
}

std::string pods_limit_failed(const NodeConfig& config, const std::string& why) {
  return fmt::format("Failed to update Node Allocatable Limits [\"{}\"]: {}",
                     fmt::join(kubepods_cgroup(config.cgroup_root), "\" \""), why);
}

}  // namespace berth::node
