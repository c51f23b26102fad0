// SPDX-License-Identifier: Apache-2.0

// Stops and removals of a predicted pass.
#include <algorithm>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/termination_order.hpp"
#include "tests/conformance/pass_engine.hpp"

namespace berth::conformance {

using namespace lifecycle;

// True if it was stopped.
bool PassEngine::stop(const Container& container, KillReason reason, const std::string& message,
                      bool waited) {
  const std::string id = container.id.str();
  const std::string name = container.name;
  if (stops_.failed.contains(id)) return false;
  const api::Container* spec = find_container(in_.pod, name);
  if (spec == nullptr) spec = find_init_container(in_.pod, name);
  api::Container other;
  other.name = name;
  const StopGrace grace =
      stop_grace(in_.pod, spec == nullptr ? other : *spec, reason, stops_.grace);
  const std::int64_t left = waited ? 0 : grace.effective_seconds;
  if (stops_.reported.insert(id).second)
    event("Normal Killing " + (message.empty() ? default_kill_message(name) : message));
  call({{"op", "StopContainer"},
        {"id", id},
        {"name", name},
        {"timeout", stop_timeout_seconds(left, Nanoseconds{0}, Nanoseconds{0})}});
  const bool fails = in_.fails.stop.contains(name);
  if (reason != KillReason::kFailedPostStartHook || has(Manner::kDecidesAnew))
    result("KillContainer", name, fails ? "KillContainerError" : "", fails ? "stop refused" : "");
  if (fails) {
    if (stops_.for_good) event("Warning FailedKillPod");
    stops_.failed.insert(id);
    return false;
  }
  const bool obeys = takes_term_well(id);
  Container* stopped = find(id);
  stopped->state = cri::ContainerState::kExited;
  stopped->exit_code = obeys ? 0 : kKilled;
  stopped->reason = obeys ? "Completed" : "Error";
  stopped->finished_at = cri::unix_nanoseconds(kPassAt);
  if (const auto mark = marks_.find(id); mark != marks_.end()) mark->second = StartAgain::kStopped;
  return true;
}

// What to stop: sidecars come last, in reverse order.
std::vector<PassEngine::Container> PassEngine::in_stop_order() const {
  std::vector<Container> out;
  for (const Container& container : world_.containers) {
    const bool unknown =
        container.state == cri::ContainerState::kUnknown && has(Manner::kStopsUnknown);
    if (container.state == cri::ContainerState::kRunning || unknown) out.push_back(container);
  }
  const auto place = [this](const Container& container) {
    const auto& inits = in_.pod.spec.initContainers;
    const auto init = std::ranges::find(inits, container.name, &api::Container::name);
    return init != inits.end() && is_sidecar(*init) ? inits.end() - init : 0;
  };
  std::ranges::stable_sort(out, {}, place);
  return out;
}

// Waits for one of the running ones.
bool PassEngine::waits(const Container& container, const std::vector<std::string>& running) const {
  const TerminationOrder order = termination_order(in_.pod, running);
  return order.ordered && !order.waits_for.at(container.name).empty();
}

// True if none of its containers runs. The kubelet waits as long as it may for a container it
// cannot stop; here the clock stands still, and a waiting container is considered when its turn has
// come.
bool PassEngine::kill_pod() {
  const bool in_turns = has(Manner::kDecidesAnew) && has(Manner::kSandboxAfterContainers);
  bool all = true;
  stops_.of_pod = true;
  const std::vector<Container> targets = in_stop_order();
  std::vector<std::string> running;
  for (const Container& container : targets) running.push_back(container.name);
  std::vector<std::string> failed;
  for (const Container& container : targets) {
    failed.push_back(container.name);
    const bool kept_waiting = waits(container, in_turns ? running : failed);
    if (kept_waiting && in_turns) {
      all = false;
      continue;
    }
    const bool stopped = stop(container, KillReason::kNone, {}, kept_waiting);
    if (stopped) failed.pop_back();
    all = stopped && all;
  }
  if (!in_turns) stops_.of_pod = false;
  if (in_turns && all && !targets.empty()) return false;
  if (!all && has(Manner::kSandboxAfterContainers)) return false;
  bool asked = !has(Manner::kDecidesAnew);
  for (RuntimeSandbox& sandbox : world_.sandboxes) {
    if (!stops_.sandboxes.insert(sandbox.id.str()).second) continue;
    call({{"op", "StopPodSandbox"}, {"id", sandbox.id.str()}});
    sandbox.state = cri::SandboxState::kNotReady;
    asked = true;
  }
  if (asked) result("KillPodSandbox", in_.pod.metadata.uid);
  stops_.of_pod = !all;
  return all;
}

// The kubelet gives up at the first failing stop; here all are stopped at once.
std::vector<ContainerKill> PassEngine::in_kill_order(std::vector<ContainerKill> kills) const {
  if (has(Manner::kDecidesAnew)) return kills;
  std::ranges::stable_partition(kills, [this](const ContainerKill& kill) {
    return in_.stopped_by_kubelet.contains(kill.id.str()) && !in_.fails.stop.contains(kill.name);
  });
  std::ranges::stable_partition(kills, [this](const ContainerKill& kill) {
    return in_.stopped_by_kubelet.contains(kill.id.str());
  });
  return kills;
}

bool PassEngine::kill_listed(const std::vector<ContainerKill>& kills) {
  bool all = true;
  for (const ContainerKill& kill : in_kill_order(kills)) {
    all = stop(*find(kill.id.str()), kill.reason, kill.message) && all;
    if (!all && !has(Manner::kDecidesAnew)) return false;
  }
  if (!has(Manner::kEndsUnknownPredecessors)) return all;
  for (const ContainerKill& kill : kills) {
    const Container container = *find(kill.id.str());
    const bool exited = container.state == cri::ContainerState::kExited;
    if (exited && world_.newest(kill.name)->id != kill.id) remove(container);
  }
  return all;
}

bool PassEngine::end_unknown_predecessors() {
  if (!has(Manner::kEndsUnknownPredecessors)) return false;
  std::vector<Container> stopped;
  const std::vector<Container> containers = world_.containers;
  for (const Container& container : containers) {
    const Container* newest = world_.newest(container.name);
    const bool succeeded =
        newest->id != container.id && (newest->state == cri::ContainerState::kRunning ||
                                       newest->state == cri::ContainerState::kExited);
    if (container.state != cri::ContainerState::kUnknown || !succeeded) continue;
    if (stop(container, KillReason::kUnknown,
             "Container is in unknown state, try killing it before removal"))
      stopped.push_back(container);
  }
  for (const Container& container : stopped) remove(container);
  return !stopped.empty();
}

void PassEngine::remove(const Container& container) {
  call({{"op", "RemoveContainer"}, {"id", container.id.str()}, {"name", container.name}});
  removed_.push_back(container);
  std::erase_if(world_.containers, [&](const Container& one) { return one.id == container.id; });
}

// Ends the whole pod, for good.
bool PassEngine::end_pod() {
  for (std::size_t calls = 0; !kill_pod(); calls = out_.calls.size())
    if (out_.calls.size() == calls) return false;
  return true;
}

// Removes containers that a status does not show: created beside one that has ended, and never
// started.
void PassEngine::remove_unstarted() {
  const RuntimePod shown = without_unstarted(world_, true);
  const std::vector<Container> containers = world_.containers;
  for (const Container& container : containers)
    if (in_spec(container.name) && shown.find(container.id) == nullptr) remove(container);
}

void PassEngine::remove_all() {
  const std::vector<Container> containers = world_.containers;
  for (const Container& container : containers)
    if (std::ranges::none_of(world_.sandboxes, [&](const RuntimeSandbox& sandbox) {
          return sandbox.id == container.sandbox;
        }))
      remove(container);
  for (auto sandbox = world_.sandboxes.rbegin(); sandbox != world_.sandboxes.rend(); ++sandbox)
    call({{"op", "RemovePodSandbox"}, {"id", sandbox->id.str()}});
}

// A new sandbox starts with the first init container.
void PassEngine::purge_init_containers() {
  const std::vector<Container> containers = world_.containers;
  for (const Container& container : containers)
    if (is_init(container.name)) remove(container);
}

void PassEngine::prune() {
  const bool at_once = has(Manner::kTrimsAtOnce);
  const std::vector<Container> containers = at_once ? world_.containers : seen_.containers;
  std::set<std::string> kept;
  for (const Container& container : containers) {
    const bool exited = container.state == cri::ContainerState::kExited;
    const bool unknown =
        container.state == cri::ContainerState::kUnknown && !has(Manner::kKeepsUnknown);
    if (!(exited || unknown) || (!at_once && !is_init(container.name))) continue;
    if (!kept.insert(container.name).second) remove(container);
  }
}

}  // namespace berth::conformance
