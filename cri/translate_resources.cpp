// SPDX-License-Identifier: Apache-2.0

// Resources of containers and sandboxes: CRI's fields one to one, 0 = not set on both sides.
#include "cri/translate.hpp"
#include "cri/translate_parts.hpp"

namespace berth::cri {

pb::LinuxContainerResources to_message(const LinuxContainerResources& resources) {
  pb::LinuxContainerResources message;
  message.set_cpu_period(resources.cpu_period);
  message.set_cpu_quota(resources.cpu_quota);
  message.set_cpu_shares(resources.cpu_shares);
  message.set_memory_limit_in_bytes(resources.memory_limit_in_bytes);
  message.set_oom_score_adj(resources.oom_score_adj);
  message.set_cpuset_cpus(resources.cpuset_cpus);
  message.set_cpuset_mems(resources.cpuset_mems);
  for (const auto& [page_size, limit] : resources.hugepage_limits) {
    auto& out = *message.add_hugepage_limits();
    out.set_page_size(page_size);
    out.set_limit(limit);
  }
  copy_to(resources.unified, message.mutable_unified());
  message.set_memory_swap_limit_in_bytes(resources.memory_swap_limit_in_bytes);
  return message;
}

LinuxContainerResources from_message(const pb::LinuxContainerResources& message) {
  LinuxContainerResources resources{
      .cpu_period = message.cpu_period(),
      .cpu_quota = message.cpu_quota(),
      .cpu_shares = message.cpu_shares(),
      .memory_limit_in_bytes = message.memory_limit_in_bytes(),
      .oom_score_adj = message.oom_score_adj(),
      .cpuset_cpus = message.cpuset_cpus(),
      .cpuset_mems = message.cpuset_mems(),
      .unified = map_from(message.unified()),
      .memory_swap_limit_in_bytes = message.memory_swap_limit_in_bytes()};
  for (const auto& limit : message.hugepage_limits()) {
    resources.hugepage_limits.push_back({.page_size = limit.page_size(), .limit = limit.limit()});
  }
  return resources;
}

}  // namespace berth::cri
