// SPDX-License-Identifier: Apache-2.0

#include "agent/allocatable/allocatable_settings.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "agent/allocatable/cpu_list.hpp"

namespace berth::agent {
namespace {

using node::ReservedFor;
using node::ReservedLimits;

constexpr const char* kField = "enforceNodeAllocatable";
constexpr const char* kFlag = "enforceNodeAllocatable (--enforce-node-allocatable)";
constexpr std::string_view kPods = "pods";
constexpr std::string_view kNone = "none";

struct Kind {
  std::string_view name{};
  ReservedFor whom{};
  ReservedLimits limits{};
};

// In the order in which the kubelet enforces them.
constexpr std::array<Kind, 4> kKinds{
    {{"system-reserved", ReservedFor::kSystem, ReservedLimits::kAll},
     {"kube-reserved", ReservedFor::kKube, ReservedLimits::kAll},
     {"system-reserved-compressible", ReservedFor::kSystem, ReservedLimits::kCompressible},
     {"kube-reserved-compressible", ReservedFor::kKube, ReservedLimits::kCompressible}}};

std::string cgroup_of(const KubeletConfiguration& kubelet, ReservedFor whom) {
  return (whom == ReservedFor::kSystem ? kubelet.systemReservedCgroup : kubelet.kubeReservedCgroup)
      .value_or("");
}

class Resolver {
 public:
  explicit Resolver(const KubeletConfiguration& kubelet) : kubelet_(kubelet) {}

  ResolvedAllocatable resolve() {
    check_reserved("systemReserved", kubelet_.systemReserved);
    check_reserved("kubeReserved", kubelet_.kubeReserved);
    if (kubelet_.enforceNodeAllocatable) resolve_enforced(*kubelet_.enforceNodeAllocatable);
    const bool has_cgroup = !cgroup_of(kubelet_, ReservedFor::kSystem).empty() ||
                            !cgroup_of(kubelet_, ReservedFor::kKube).empty();
    const std::string listed = kubelet_.reservedSystemCPUs.value_or("");
    if (!listed.empty()) resolve_cpus(listed);
    if (!listed.empty() && has_cgroup)
      refuse("reservedSystemCPUs",
             "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup "
             "(--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)");
    if (!kubelet_.systemCgroups.value_or("").empty() && kubelet_.cgroupRoot.value_or("").empty())
      refuse("systemCgroups",
             "systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was "
             "not specified");
    return std::move(out_);
  }

 private:
  void refuse(std::string field, std::string message) {
    out_.problems.push_back({std::move(field), std::move(message)});
  }

  void resolve_cpus(const std::string& listed) {
    const auto cpus = cpus_in(listed);
    if (cpus)
      out_.cpus = *cpus;
    else
      refuse("reservedSystemCPUs", cpus.error().message);
  }

  void check_reserved(const char* field,
                      const std::optional<std::map<std::string, std::string>>& reserved) {
    constexpr std::array<std::string_view, 4> kResources{"cpu", "memory", "ephemeral-storage",
                                                         "pid"};
    if (!reserved) return;
    for (const auto& [resource, amount] : *reserved)
      if (std::ranges::find(kResources, resource) == kResources.end())
        refuse(fmt::format("{}[{}]", field, resource),
               fmt::format("cannot reserve \"{}\" resource", resource));
  }

  void resolve_enforced(const std::vector<std::string>& stated) {
    for (std::size_t full = 0; full < 2; ++full)
      if (std::ranges::count(stated, kKinds.at(full).name) > 0 &&
          std::ranges::count(stated, kKinds.at(full + 2).name) > 0)
        refuse(kField, fmt::format("both \"{}\" and \"{}\" cannot be specified together in {}",
                                   kKinds.at(full).name, kKinds.at(full + 2).name, kFlag));
    std::set<std::string_view> seen;
    for (const std::string& word : stated) {
      if (!seen.insert(word).second)
        refuse(kField, fmt::format("duplicated enforcements \"{}\" in {}", word, kFlag));
      else
        check(word, stated.size());
    }
    for (const Kind& kind : kKinds)
      if (seen.contains(kind.name))
        out_.reserved.push_back(
            {.whom = kind.whom, .limits = kind.limits, .cgroup = cgroup_of(kubelet_, kind.whom)});
  }

  void check(const std::string& word, std::size_t stated) {
    const auto* kind = std::ranges::find(kKinds, word, &Kind::name);
    if (word == kNone) {
      if (stated > 1)
        refuse(kField,
               fmt::format("{} may not contain additional enforcements when \"{}\" is specified",
                           kFlag, kNone));
      return;
    }
    if (kind == kKinds.end() && word != kPods)
      return refuse(kField,
                    fmt::format("option \"{}\" specified for {}. Valid options are \"pods\", "
                                "\"system-reserved\", \"system-reserved-compressible\", "
                                "\"kube-reserved\", \"kube-reserved-compressible\" or \"none\"",
                                word, kFlag));
    if (kind != kKinds.end() && cgroup_of(kubelet_, kind->whom).empty()) check_cgroup(kind->whom);
    if (kubelet_.cgroupsPerQOS == false)
      refuse(kField, fmt::format("cgroupsPerQOS (--cgroups-per-qos) must be set to true when "
                                 "\"{}\" contained in {}",
                                 word, kFlag));
  }

  void check_cgroup(ReservedFor whom) {
    const std::string name = whom == ReservedFor::kSystem ? "system" : "kube";
    refuse(kField, fmt::format("{0}ReservedCgroup (--{0}-reserved-cgroup) must be specified when "
                               "\"{0}-reserved\" or \"{0}-reserved-compressible\" included in {1}",
                               name, kFlag));
  }

  const KubeletConfiguration& kubelet_;
  ResolvedAllocatable out_{};
};

}  // namespace

ResolvedAllocatable resolve_allocatable(const KubeletConfiguration& kubelet) {
  return Resolver(kubelet).resolve();
}

}  // namespace berth::agent
