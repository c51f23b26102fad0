// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_facts.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_view.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/runtime/stray_sandboxes.hpp"

namespace berth::lifecycle {

std::shared_ptr<api::Pod> being_deleted(const api::Pod& pod, const EndInForce& end) {
  auto ending = std::make_shared<api::Pod>(pod);
  const api::Time ends{end.ending.requested_at + std::chrono::seconds(end.grace_seconds)};
  ending->metadata.deletionTimestamp = ends.whole_seconds();
  ending->metadata.deletionGracePeriodSeconds = end.grace_seconds;
  return ending;
}

PodFacts::PodFacts(PodParts& parts)
    : env_(parts.env),
      pod_(parts.pod),
      course_(parts.course),
      mailbox_(parts.mailbox),
      observed_(parts.observed),
      keeper_(parts.keeper),
      stops_(parts.stops),
      starts_(parts.starts),
      status_(parts.status) {}

std::optional<OrderInForce> PodFacts::end_with(const Ending& order) const {
  if (!course_.over()) return in_force(*pod_, course_.end(), order);
  if (!removes(order) && !course_.to_be_removed()) return std::nullopt;
  return in_force(*pod_, course_.end(), as_given(order, course_.end(), phase_for_orders()));
}

std::string_view PodFacts::phase_for_orders() const {
  return course_.over() ? kFailed : std::string_view(status_.computed().phase);
}

const ShownFailure* PodFacts::shown_failure() const {
  const bool open = course_.end() && course_.end()->ending.failure &&
                    !course_.end()->ending.failure->whatever_exits &&
                    keeper_.verdict() == Verdict::kNone;
  return open ? &*course_.end()->ending.failure : nullptr;
}

Instant PodFacts::instant() const {
  return {.steady = env_.clock.steady_now(), .wall = env_.clock.wall_now()};
}

bool PodFacts::is_regular(const std::string& name) const {
  return find_container(*pod_, name) != nullptr;
}

const api::Container* PodFacts::container_spec(const std::string& name) const {
  if (const auto* container = find_container(*pod_, name)) return container;
  return find_init_container(*pod_, name);
}

const cri::PodSandboxStatus* PodFacts::ready_sandbox() const {
  const cri::PodSandboxStatus* newest = nullptr;
  const std::set<std::string> strays = stray_sandboxes(observed_, *pod_);
  for (const auto& [id, sandbox] : observed_.sandboxes()) {
    if (sandbox.state != cri::SandboxState::kReady || strays.contains(id)) continue;
    if (newest == nullptr || newest->metadata.attempt < sandbox.metadata.attempt) newest = &sandbox;
  }
  return newest;
}

std::optional<EndInForce> PodFacts::ordered_end() const {
  const std::optional<OrderInForce> next =
      mailbox_.orders().end ? end_with(*mailbox_.orders().end) : std::nullopt;
  return next ? std::optional(next->end) : course_.end();
}

RuntimePod PodFacts::runtime_view() const {
  const std::set<std::string> strays = stray_sandboxes(observed_, *pod_);
  const StartErrors start_errors = starts_.errors();
  PodViewInput input{.pod = *pod_,
                     .starts = starts_.pending_starts(),
                     .start_again = starts_.start_again(),
                     .start_errors = start_errors,
                     .last_ips = observed_.last_ips(),
                     .ends = course_.ends(),
                     .options = env_.options.features};
  for (const auto& [id, sandbox] : observed_.sandboxes())
    if (!strays.contains(id)) input.sandboxes.push_back(sandbox);
  for (const auto& [id, container] : observed_.containers()) {
    input.containers.push_back(container.status);
    input.sandbox_of.emplace(cri::ContainerId(id), cri::SandboxId(container.sandbox));
  }
  return pod_view(input);
}

NodeAddresses PodFacts::node_addresses() const {
  return {.host_ips = env_.now.view->host_ips, .node_ips = env_.now.view->config.node_ips};
}

bool PodFacts::containers_may_run() const {
  if (!observed_.known() || stops_.any_under_way()) return true;
  return std::ranges::any_of(observed_.containers(), [this](const auto& entry) {
    const ObservedContainer& container = entry.second;
    if (container.status.state == cri::ContainerState::kExited) return false;
    if (container.status.state != cri::ContainerState::kCreated) return true;
    const auto* sandbox = observed_.sandbox(container.sandbox);
    return sandbox != nullptr && sandbox->state == cri::SandboxState::kReady;
  });
}

std::string PodFacts::container_name(const std::string& id) const {
  const ObservedContainer* container = observed_.container(id);
  return container == nullptr ? std::string() : container->status.metadata.name;
}

std::map<std::string, cri::ContainerId> PodFacts::post_starts_under_way() const {
  if (course_.state() != WorkerState::kSyncing) return {};
  return starts_.post_starts();
}

bool PodFacts::ending() const {
  return course_.ends() || mailbox_.orders().end;
}

}  // namespace berth::lifecycle
