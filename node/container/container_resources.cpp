// SPDX-License-Identifier: Apache-2.0

#include "node/container/container_resources.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/pod_resources.hpp"
#include "node/cgroups/cpu_shares.hpp"
#include "node/qos.hpp"

namespace berth::node {
namespace {

constexpr const char* kSwapMax = "memory.swap.max";

std::optional<api::Quantity> find(const api::ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  if (found == list.end()) return std::nullopt;
  return found->second;
}

// The container's own limit, or its pod's total limit.
api::Quantity effective_limit(const api::Pod& pod, const api::Container& container,
                              const std::string& name) {
  auto own = amount_in(container.resources.limits, name);
  if (own.is_zero() && pod.spec.resources) return amount_in(pod.spec.resources->limits, name);
  return own;
}

bool kills_whole_container(const NodeConfig& config, const NodeFacts& facts) {
  return facts.cgroup_version == 2 && !config.single_process_oom_kill.value_or(false);
}

struct Amounts {
  std::optional<api::Quantity> cpu_request{};
  api::Quantity cpu_limit{};
  api::Quantity memory_limit{};
};

cri::LinuxContainerResources linux_resources(const NodeConfig& config, const NodeFacts& facts,
                                             const Amounts& amounts) {
  cri::LinuxContainerResources resources;
  // A container with only a limit requests that much.
  const bool by_limit = !amounts.cpu_request && !amounts.cpu_limit.is_zero();
  const auto& cpu = by_limit ? amounts.cpu_limit : amounts.cpu_request.value_or(api::Quantity{});
  resources.cpu_shares = shares_from_milli_cpu(cpu.milli_value());
  resources.memory_limit_in_bytes = amounts.memory_limit.value();
  if (config.cpu_cfs_quota) {
    resources.cpu_period = config.cpu_cfs_quota_period;
    resources.cpu_quota =
        quota_from_milli_cpu(amounts.cpu_limit.milli_value(), config.cpu_cfs_quota_period);
  }
  if (kills_whole_container(config, facts)) resources.unified.emplace("memory.oom.group", "1");
  return resources;
}

bool may_swap(const NodeConfig& config, const NodeFacts& facts, const api::Pod& pod,
              const api::Container& container) {
  if (config.memory_swap_behavior != "LimitedSwap" || facts.cgroup_version != 2) return false;
  if (is_critical_pod(pod, config.static_pods_are_critical)) return false;
  if (qos_class(pod) != QosClass::kBurstable) return false;
  const auto request = amount_in(container.resources.requests, "memory");
  const auto limit = amount_in(container.resources.limits, "memory");
  return !(request.is_zero() && limit.is_zero()) && request != limit;
}

void set_swap(cri::LinuxContainerResources& resources, const NodeConfig& config,
              const NodeFacts& facts, const api::Pod& pod, const api::Container& container) {
  if (!facts.swap_controller_available) return;
  if (facts.cgroup_version != 2) {
    // Memory and swap together equal memory alone, i.e. no swap.
    resources.memory_swap_limit_in_bytes = resources.memory_limit_in_bytes;
    return;
  }
  std::int64_t swap = 0;
  if (may_swap(config, facts, pod, container)) {
    const auto request = amount_in(container.resources.requests, "memory").value();
    // The same share of swap as of memory; computed in doubles, as in Kubernetes.
    if (facts.memory > 0 && request <= facts.memory) {
      swap = static_cast<std::int64_t>(static_cast<double>(request) /
                                       static_cast<double>(facts.memory) *
                                       static_cast<double>(facts.swap));
    }
  }
  resources.unified[kSwapMax] = std::to_string(swap);
}

// "2MB", "1GB": as the kernel names page sizes.
std::string kernel_page_size(std::int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

// Lists every size of the machine: 0 if it is not requested.
std::vector<cri::HugepageLimit> hugepage_limits(const NodeFacts& facts, const api::Pod& pod,
                                                const api::Container& container) {
  std::vector<cri::HugepageLimit> limits;
  for (const auto& pages : facts.huge_pages) {
    const auto size = api::Quantity::from_int(pages.page_size, api::Quantity::Format::kBinarySI);
    const auto limit = effective_limit(pod, container, "hugepages-" + size.to_string());
    limits.push_back({.page_size = kernel_page_size(pages.page_size),
                      .limit = static_cast<std::uint64_t>(limit.value())});
  }
  return limits;
}

}  // namespace

api::Quantity amount_in(const api::ResourceList& list, const std::string& resource) {
  return find(list, resource).value_or(api::Quantity{});
}

cri::LinuxContainerResources container_resources(const NodeConfig& config, const NodeFacts& facts,
                                                 const api::Pod& pod,
                                                 const api::Container& container) {
  const Amounts amounts{.cpu_request = find(container.resources.requests, "cpu"),
                        .cpu_limit = effective_limit(pod, container, "cpu"),
                        .memory_limit = effective_limit(pod, container, "memory")};
  auto resources = linux_resources(config, facts, amounts);
  resources.oom_score_adj =
      oom_score_adjust(pod, container, facts.memory, config.static_pods_are_critical);
  resources.hugepage_limits = hugepage_limits(facts, pod, container);
  set_swap(resources, config, facts, pod, container);
  return resources;
}

cri::LinuxContainerResources sandbox_resources(const NodeConfig& config, const NodeFacts& facts,
                                               const api::Pod& pod) {
  const api::PodResourceOptions options{.exclude_overhead = true};
  const auto limits = api::pod_limits(pod, options);
  const Amounts amounts{.cpu_request = find(api::pod_requests(pod, options), "cpu"),
                        .cpu_limit = amount_in(limits, "cpu"),
                        .memory_limit = amount_in(limits, "memory")};
  return linux_resources(config, facts, amounts);
}

cri::LinuxContainerResources sandbox_overhead(const NodeConfig& config, const NodeFacts& facts,
                                              const api::Pod& pod) {
  if (pod.spec.overhead.empty()) return {};
  const auto cpu = amount_in(pod.spec.overhead, "cpu");
  const Amounts amounts{
      .cpu_request = cpu, .cpu_limit = cpu, .memory_limit = amount_in(pod.spec.overhead, "memory")};
  return linux_resources(config, facts, amounts);
}

}  // namespace berth::node
