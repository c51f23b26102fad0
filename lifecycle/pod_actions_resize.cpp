// SPDX-License-Identifier: Apache-2.0

// Resources of running containers that differ from what was last applied.
#include <algorithm>

#include "lifecycle/pod_actions_pass.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

std::int64_t amount(const api::ResourceList& list, const char* name,
                    std::int64_t (api::Quantity::*of)() const) {
  const auto found = list.find(name);
  return found == list.end() ? 0 : (found->second.*of)();
}

ResourceAmounts amounts(const api::ResourceRequirements& resources) {
  return ResourceAmounts{
      .cpu_request_milli = amount(resources.requests, "cpu", &api::Quantity::milli_value),
      .cpu_limit_milli = amount(resources.limits, "cpu", &api::Quantity::milli_value),
      .memory_request_bytes = amount(resources.requests, "memory", &api::Quantity::value),
      .memory_limit_bytes = amount(resources.limits, "memory", &api::Quantity::value)};
}

// A missing record counts as nothing applied.
ResourceAmounts applied_amounts(const ActuatedResources& actuated, const std::string& name) {
  const auto found = actuated.find(name);
  return found == actuated.end() ? ResourceAmounts{} : amounts(found->second);
}

bool restarts_for(const api::Container& container, std::string_view resource) {
  // Of several policies for one resource, the last one counts.
  bool restart = false;
  for (const api::ContainerResizePolicy& policy : container.resizePolicy) {
    if (policy.resourceName == resource) restart = policy.restartPolicy == "RestartContainer";
  }
  return restart;
}

// The limit determines the direction if it differs, otherwise the request. Decreases come first, so
// that what they free is available for the increases.
void add_update(std::vector<ContainerUpdate>& updates, const ContainerUpdate& update,
                std::int64_t desired_limit, std::int64_t limit, std::int64_t desired_request,
                std::int64_t request) {
  const bool by_limit = desired_limit != limit;
  if (!by_limit && desired_request == request) return;
  const bool grows = by_limit ? desired_limit > limit : desired_request > request;
  updates.insert(grows ? updates.end() : updates.begin(), update);
}

}  // namespace

bool ActionPass::keep_after_resize(Kind kind, std::size_t index, const RuntimeContainer& record) {
  if (is_static(in.pod)) return true;
  const api::Container& container =
      kind == Kind::kInit ? in.pod.spec.initContainers[index] : in.pod.spec.containers[index];
  const ContainerUpdate update{.name = container.name,
                               .id = record.id,
                               .desired = amounts(container.resources),
                               .current = applied_amounts(in.actuated, container.name)};
  const ResourceAmounts& to = update.desired;
  const ResourceAmounts& from = update.current;
  if (to == from) return true;

  const bool cpu_differs =
      to.cpu_limit_milli != from.cpu_limit_milli || to.cpu_request_milli != from.cpu_request_milli;
  const bool memory_differs = to.memory_limit_bytes != from.memory_limit_bytes ||
                              to.memory_request_bytes != from.memory_request_bytes;
  if ((cpu_differs && restarts_for(container, "cpu")) ||
      (memory_differs && restarts_for(container, "memory"))) {
    kill(record, KillReason::kNone, "Container " + container.name + " resize requires restart",
         "ResizeRestarts");
    auto& starts = kind == Kind::kInit ? out.init_containers_to_start : out.containers_to_start;
    starts.push_back(index);
    out.update_pod_resources = true;
    return false;
  }
  because(container.name, "Resized", "its resources differ from those applied");
  add_update(out.containers_to_update_memory, update, to.memory_limit_bytes,
             from.memory_limit_bytes, to.memory_request_bytes, from.memory_request_bytes);
  add_update(out.containers_to_update_cpu, update, to.cpu_limit_milli, from.cpu_limit_milli,
             to.cpu_request_milli, from.cpu_request_milli);
  return true;
}

}  // namespace berth::lifecycle
