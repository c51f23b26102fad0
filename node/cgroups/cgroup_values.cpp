// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/cgroup_values.hpp"

#include <string>

#include "api/pod_resources.hpp"
#include "base/wrapping.hpp"
#include "node/allocatable.hpp"
#include "node/cgroups/cpu_shares.hpp"

namespace berth::node {
namespace {

// A limit that no pod reaches, but that the kernel accepts.
constexpr std::int64_t kUnbounded = std::int64_t{1} << 62;
constexpr std::string_view kHugePages = "hugepages-";

bool is_zero(const api::ResourceList& list, const char* name) {
  const auto found = list.find(name);
  return found == list.end() || found->second.is_zero();
}

std::int64_t milli(const api::ResourceList& list, const char* name) {
  const auto found = list.find(name);
  return found == list.end() ? 0 : found->second.milli_value();
}

std::int64_t whole(const api::ResourceList& list, const char* name) {
  const auto found = list.find(name);
  return found == list.end() ? 0 : found->second.value();
}

// A limit can be enforced on a pod only if everything that runs in it at any one time has a limit,
// or the pod itself has one. While an init container runs, it counts together with the sidecars
// before it, and one limit among them is enough.
bool limit_declared(const api::Pod& pod, const char* name) {
  const auto& spec = pod.spec;
  if (spec.resources && !is_zero(spec.resources->limits, name)) return true;
  for (const auto& container : spec.containers) {
    if (is_zero(container.resources.limits, name)) return false;
  }
  bool sidecar_limited = false;
  for (const auto& container : spec.initContainers) {
    const bool limited = !is_zero(container.resources.limits, name);
    if (!limited && !sidecar_limited) return false;
    if (limited && api::is_sidecar(container)) sidecar_limited = true;
  }
  return true;
}

std::map<std::int64_t, std::int64_t> hugepage_limits(const api::ResourceList& requests) {
  std::map<std::int64_t, std::int64_t> limits;
  for (const auto& [name, amount] : requests) {
    if (!name.starts_with(kHugePages)) continue;
    const auto size = api::Quantity::parse(name.substr(kHugePages.size()));
    if (size) limits[size->value()] = amount.value();
  }
  return limits;
}

void set_cpu_limit(CgroupValues& values, const NodeConfig& config, std::int64_t milli_cpu) {
  values.cpu_period = config.cpu_cfs_quota_period;
  values.cpu_quota =
      config.cpu_cfs_quota ? quota_from_milli_cpu(milli_cpu, config.cpu_cfs_quota_period) : -1;
}

void set_unbounded_huge_pages(CgroupValues& values, const NodeFacts& facts) {
  for (const auto& pages : facts.huge_pages) values.hugepage_limits[pages.page_size] = kUnbounded;
}

}  // namespace

CgroupValues pod_cgroup_values(const NodeConfig& config, const api::Pod& pod) {
  const auto requests = api::pod_requests(pod);
  const auto limits = api::pod_limits(pod);
  CgroupValues values{.cpu_shares = shares_from_milli_cpu(milli(requests, "cpu")),
                      .hugepage_limits = hugepage_limits(requests)};
  if (config.pod_pids_limit > 0) values.pids_limit = config.pod_pids_limit;
  const QosClass qos = qos_class(pod);
  if (qos == QosClass::kBestEffort) {
    values.cpu_shares = kMinShares;
    return values;
  }
  const bool guaranteed = qos == QosClass::kGuaranteed;
  if (guaranteed || limit_declared(pod, "cpu")) {
    set_cpu_limit(values, config, milli(limits, "cpu"));
  }
  if (guaranteed || limit_declared(pod, "memory")) values.memory_limit = whole(limits, "memory");
  return values;
}

CgroupValues tier_cgroup_values(const NodeFacts& facts, QosClass qos,
                                const std::vector<const api::Pod*>& active) {
  CgroupValues values;
  if (qos == QosClass::kGuaranteed) return values;
  set_unbounded_huge_pages(values, facts);
  values.cpu_shares = kMinShares;
  if (qos == QosClass::kBestEffort) return values;
  std::int64_t sum = 0;
  for (const api::Pod* pod : active) {
    if (qos_class(*pod) == QosClass::kBurstable)
      sum = wrapping_sum(sum, milli(api::pod_requests(*pod), "cpu"));
  }
  values.cpu_shares = shares_from_milli_cpu(sum);
  return values;
}

CgroupValues kubepods_cgroup_values(const NodeConfig& config, const NodeFacts& facts) {
  api::ResourceList enforced = node_capacity(config, facts);
  enforced["pid"] = api::Quantity::from_int(facts.max_pids);
  if (config.enforce_pods_allocatable) {
    for (const auto* reserved : {&config.kube_reserved, &config.system_reserved}) {
      for (const auto& [name, amount] : *reserved) {
        const auto found = enforced.find(name);
        if (found != enforced.end()) found->second -= amount;
      }
    }
  }
  CgroupValues values{.cpu_shares = shares_from_milli_cpu(milli(enforced, "cpu")),
                      .memory_limit = whole(enforced, "memory")};
  if (facts.max_pids > 0) values.pids_limit = whole(enforced, "pid");
  set_unbounded_huge_pages(values, facts);
  return values;
}

}  // namespace berth::node
