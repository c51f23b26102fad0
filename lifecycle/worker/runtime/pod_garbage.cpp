// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/pod_garbage.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "lifecycle/ledger/trim_question.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_view.hpp"
#include "lifecycle/worker/pod_parts.hpp"
#include "lifecycle/worker/runtime/pod_removal.hpp"
#include "lifecycle/worker/runtime/stray_sandboxes.hpp"
#include "lifecycle/worker/stops/pod_termination.hpp"
#include "node/container_gc.hpp"

namespace berth::lifecycle {

namespace {

std::map<std::string, std::int64_t> creation_times_of(const ObservedPod& observed) {
  std::vector<cri::PodSandboxStatus> sandboxes;
  for (const auto& [id, sandbox] : observed.sandboxes()) sandboxes.push_back(sandbox);
  std::vector<cri::ContainerStatus> containers;
  for (const auto& [id, container] : observed.containers()) containers.push_back(container.status);
  return creation_times(sandboxes, containers);
}

}  // namespace

PodGarbage::PodGarbage(PodParts& parts, PodRemoval& removal, PodTermination& termination)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      course_(parts.course),
      observed_(parts.observed),
      keeper_(parts.keeper),
      stops_(parts.stops),
      starts_(parts.starts),
      status_(parts.status),
      removal_(removal),
      termination_(termination) {}

// As in the kubelet, an evicted pod keeps nothing in the runtime: its writable layers and logs may
// be what the node is short of. Its status is stored first: afterwards only the store knows how its
// containers ended.
node::PodContent PodGarbage::content() const {
  if (course_.state() != WorkerState::kEnded || !keeper_.is_final() ||
      !is_terminal_phase(status_.computed().phase))
    return node::PodContent::kWanted;
  return is_evicted(status_.computed()) ? node::PodContent::kGone
                                        : node::PodContent::kRuntimeRemovable;
}

// In a pod that keeps running, instances that are being started or stopped count as running. So do
// those that were created but not started: the instance before shows how the container last ended.
node::GcInput PodGarbage::garbage_input(node::PodContent content, Collection collection) const {
  const std::map<std::string, std::int64_t> created = creation_times_of(observed_);
  node::GcInput input{.all_sources_ready = true,
                      .remove_finished_pods = collection == Collection::kFinishedPods,
                      .pods = {{pod_->metadata.uid, content}},
                      .now = env_.clock.wall_now()};
  const auto made = [&](const std::string& id) {
    const WallTime at{Nanoseconds(created.at(id))};
    input.now = std::max(input.now, at);  // a clock that was set back makes nothing younger
    return at;
  };
  for (const auto& [id, container] : observed_.containers()) {
    const bool busy =
        content == node::PodContent::kWanted &&
        (container.status.state == cri::ContainerState::kCreated || container.provisional ||
         stops_.under_way(id) || starts_.is_starting(container.status.metadata.name, id));
    input.containers.push_back(
        {.id = container.status.id,
         .sandbox = cri::SandboxId(container.sandbox),
         .pod_uid = pod_->metadata.uid,
         .name = container.status.metadata.name,
         .state = busy ? cri::ContainerState::kRunning : container.status.state,
         .created = made(id)});
  }
  for (const auto& [id, sandbox] : observed_.sandboxes())
    input.sandboxes.push_back({.id = sandbox.id,
                               .pod_uid = pod_->metadata.uid,
                               .state = sandbox.state,
                               .created = made(id)});
  return input;
}

bool PodGarbage::has_garbage() const {
  const bool goes_on =
      course_.state() == WorkerState::kSyncing || course_.state() == WorkerState::kEnded;
  const std::size_t names = pod_->spec.containers.size() + pod_->spec.initContainers.size();
  if (!observed_.known() || !goes_on) return false;
  if (observed_.sandboxes().size() < 2 && observed_.containers().size() <= names) return false;
  return !node::find_garbage(garbage_input(node::PodContent::kWanted, Collection::kRemains))
              .empty();
}

// True if everything to be removed is gone. A pod that keeps running does not wait for the rest.
boost::asio::awaitable<bool> PodGarbage::collect(node::PodContent content, Collection collection) {
  const node::Garbage garbage = node::find_garbage(garbage_input(content, collection));
  const bool gone = content == node::PodContent::kGone;
  const std::set<cri::ContainerId> running(garbage.containers.stop.begin(),
                                           garbage.containers.stop.end());
  const std::set<cri::SandboxId> sandboxes(garbage.sandboxes.begin(), garbage.sandboxes.end());
  std::set<cri::SandboxId> kept;
  std::vector<ContainerKill> kills;
  for (const cri::ContainerId& id : garbage.containers.remove) {
    const ObservedContainer* container = observed_.container(id.str());
    if (container == nullptr) continue;
    const cri::SandboxId sandbox(container->sandbox);
    if (gone && sandboxes.contains(sandbox)) continue;  // removed with its sandbox
    bool removed = false;
    if (!gone && running.contains(id)) {
      // It is removed once it has been stopped.
      kills.push_back(unknown_to_be_removed(id, container->status.metadata.name));
    } else {
      removed = co_await removal_.remove_container(id.str());
    }
    if (!removed) kept.insert(sandbox);
    if (gone && !removed) co_return false;
  }
  if (!kills.empty()) co_await termination_.kill_containers(std::move(kills));
  for (const cri::SandboxId& id : garbage.sandboxes) {
    if (kept.contains(id)) continue;
    const bool removed = co_await removal_.remove_sandbox(id);
    if (!removed) kept.insert(id);
    if (gone && !removed) co_return false;
  }
  co_return kept.empty();
}

// A stray may have the name that the next sandbox will get.
boost::asio::awaitable<bool> PodGarbage::remove_strays() {
  bool all = true;
  for (const std::string& id : stray_sandboxes(observed_, *pod_)) {
    const bool removed = co_await removal_.remove_sandbox(cri::SandboxId(id));
    all = all && removed;
  }
  co_return all;
}

// Removes all dead instances of a container except the newest, as soon as another one has died.
boost::asio::awaitable<void> PodGarbage::trim() {
  const std::map<std::string, std::int64_t> created = creation_times_of(observed_);
  std::map<std::string, std::vector<DeadInstance>> dead;
  for (const auto& [id, container] : observed_.containers()) {
    if (container.status.state != cri::ContainerState::kExited || container.provisional) continue;
    dead[container.status.metadata.name].push_back(
        {.id = container.status.id, .created = WallTime(Nanoseconds(created.at(id)))});
  }
  // The kubelet's maximum-dead-containers-per-container.
  constexpr std::size_t kKeep = 1;
  for (auto& [name, instances] : dead) {
    if (instances.size() <= kKeep) continue;
    const TrimQuestion question{
        .pod = *pod_, .container = name, .instances = std::move(instances), .keep = kKeep};
    const TrimDecision decision = decide_trim(question);
    teller_.decided(question, decision);
    for (const cri::ContainerId& id : decision.remove) {
      // A failure is retried later and does not hold up anything.
      const bool removed = co_await removal_.remove_container(id.str());
      if (!removed) break;
    }
  }
}

// A new sandbox starts the init sequence from scratch: the old init containers are removed.
boost::asio::awaitable<bool> PodGarbage::remove_init_containers() {
  std::vector<std::string> gone;
  for (const auto& [id, container] : observed_.containers())
    if (find_init_container(*pod_, container.status.metadata.name) != nullptr) gone.push_back(id);
  for (const std::string& id : gone) {
    const bool removed = co_await removal_.remove_container(id);
    if (!removed) co_return false;
  }
  co_return true;
}

}  // namespace berth::lifecycle
