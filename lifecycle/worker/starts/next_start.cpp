// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/next_start.hpp"

#include <algorithm>

#include "lifecycle/container_identity.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

std::vector<NextStart> start_order(const api::Pod& pod, const PodActions& actions,
                                   const StartErrors& errors) {
  std::vector<NextStart> order;
  for (const std::size_t index : actions.init_containers_to_start) {
    const api::Container& container = pod.spec.initContainers.at(index);
    order.push_back({.container = container.name, .others_wait = !is_sidecar(container)});
  }
  for (const std::size_t index : actions.containers_to_start)
    order.push_back({.container = pod.spec.containers.at(index).name});
  std::ranges::stable_partition(order, [&errors](const NextStart& next) {
    const auto error = errors.find(next.container);
    return next.others_wait || error == errors.end() || error->second.reason != kPostStartHookError;
  });
  return order;
}

bool starts_as_created(const NewestInstance& newest, const cri::SandboxId& ready,
                       const api::Container& spec) {
  return newest.status.state == cri::ContainerState::kCreated && newest.sandbox == ready.str() &&
         !spec_changed(newest.status.annotations, spec.name, spec.image);
}

}  // namespace berth::lifecycle
