// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/probes/probe_exchange.hpp"

#include <algorithm>
#include <array>

#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

using probes::ProbeType;

constexpr std::array kTypes = {ProbeType::kStartup, ProbeType::kReadiness, ProbeType::kLiveness};

const std::optional<api::Probe>& probe_of(const api::Container& container, ProbeType type) {
  if (type == ProbeType::kStartup) return container.startupProbe;
  return type == ProbeType::kReadiness ? container.readinessProbe : container.livenessProbe;
}

template <class Results>
auto& results_of(Results& results, ProbeType type) {
  if (type == ProbeType::kStartup) return results.startup;
  return type == ProbeType::kReadiness ? results.readiness : results.liveness;
}

ProbeResult from_prober(probes::ProbeResult result) {
  if (result == probes::ProbeResult::kSuccess) return ProbeResult::kSuccess;
  return result == probes::ProbeResult::kFailure ? ProbeResult::kFailure : ProbeResult::kUnknown;
}

probes::ProbeResult to_prober(ProbeResult result) {
  if (result == ProbeResult::kSuccess) return probes::ProbeResult::kSuccess;
  return result == ProbeResult::kFailure ? probes::ProbeResult::kFailure
                                         : probes::ProbeResult::kUnknown;
}

std::vector<const api::Container*> probed_containers(const api::Pod& pod) {
  std::vector<const api::Container*> out;
  const auto add = [&out](const api::Container& container) {
    const bool any = std::ranges::any_of(
        kTypes, [&](ProbeType type) { return probe_of(container, type).has_value(); });
    if (any) out.push_back(&container);
  };
  for (const api::Container& container : pod.spec.containers) add(container);
  for (const api::Container& container : pod.spec.initContainers)
    if (is_sidecar(container)) add(container);
  return out;
}

}  // namespace

bool has_probes(const api::Pod& pod) {
  return !probed_containers(pod).empty();
}

probes::SeenPod seen_pod(const RuntimePod& runtime, const api::PodStatus& status, bool finished) {
  probes::SeenPod seen{.pod_ip = status.podIP, .finished = finished};
  for (const RuntimeContainer& record : runtime.containers) {
    if (runtime.newest(record.name) != &record) continue;
    probes::SeenContainer container{.name = record.name,
                                    .running = record.state == cri::ContainerState::kRunning,
                                    .terminated = record.state == cri::ContainerState::kExited};
    if (container.running || container.terminated) container.id = record.id;
    if (record.started_at != 0) container.started_at = WallTime{Nanoseconds{record.started_at}};
    seen.containers.push_back(std::move(container));
  }
  return seen;
}

ProbeResults published_results(const std::vector<probes::KeptResult>& held) {
  ProbeResults out;
  for (const probes::KeptResult& kept : held)
    if (!kept.id.empty()) results_of(out, kept.type)[kept.id] = from_prober(kept.result);
  return out;
}

std::vector<probes::KeptResult> results_to_go_on_from(const api::Pod& pod,
                                                      const RuntimePod& runtime,
                                                      const ProbeResults& stored, bool adopted) {
  std::vector<probes::KeptResult> out;
  for (const api::Container* container : probed_containers(pod)) {
    const RuntimeContainer* record = runtime.newest(container->name);
    if (record == nullptr || record->state != cri::ContainerState::kRunning) continue;
    for (const ProbeType type : kTypes) {
      if (!probe_of(*container, type)) continue;
      auto result = result_of(results_of(stored, type), record->id);
      if (!result && adopted) result = ProbeResult::kSuccess;
      if (!result || *result == ProbeResult::kUnknown) continue;
      out.push_back({.container = container->name,
                     .type = type,
                     .id = record->id,
                     .result = to_prober(*result)});
    }
  }
  return out;
}

}  // namespace berth::lifecycle
