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

Result<ReservedCgroup> reserved_cgroup(const ReservedEnforcement& enforcement,
                                       const NodeConfig& config) {
  const auto& reserved =
      enforcement.whom == ReservedFor::kSystem ? config.system_reserved : config.kube_reserved;
  if (reserved.empty()) {
    const char* field =
        enforcement.whom == ReservedFor::kSystem ? "systemReserved" : "kubeReserved";
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" cgroup is not configured properly: {} reserves nothing for it",
                            enforcement.cgroup, field));
  }
  ReservedCgroup out{.name = place_of(enforcement.cgroup, config.cgroup_driver)};
  const auto cpu = reserved.find("cpu");
  if (cpu != reserved.end())
    out.values.cpu_shares = shares_from_milli_cpu(cpu->second.milli_value());
  if (enforcement.limits == ReservedLimits::kCompressible) return out;
  const auto memory = reserved.find("memory");
  if (memory != reserved.end()) out.values.memory_limit = memory->second.value();
  const auto pids = reserved.find("pid");
  if (pids != reserved.end()) out.values.pids_limit = pids->second.value();
  return out;
}

std::string limits_updated(const ReservedEnforcement& enforcement) {
  return fmt::format("Updated limits on {} reserved cgroup {}",
                     enforcement.whom == ReservedFor::kSystem ? "system" : "kube",
                     enforcement.cgroup);
}

std::string limits_failed(const ReservedEnforcement& enforcement, const std::string& why) {
  return fmt::format("Failed to enforce {} Reserved {}Cgroup Limits on \"{}\": {}",
                     enforcement.whom == ReservedFor::kSystem ? "System" : "Kube",
                     enforcement.limits == ReservedLimits::kCompressible ? "Compressible " : "",
                     enforcement.cgroup, why);
}

std::string pods_limit_failed(const NodeConfig& config, const std::string& why) {
  return fmt::format("Failed to update Node Allocatable Limits [\"{}\"]: {}",
                     fmt::join(kubepods_cgroup(config.cgroup_root), "\" \""), why);
}

}  // namespace berth::node
