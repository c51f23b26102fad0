// SPDX-License-Identifier: Apache-2.0

// Random events of the runtime and of what it runs.
#include <string>
#include <vector>

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

void SimulatedNode::hurt_sandbox() {
  std::vector<const SandboxRecord*> alive;
  for (const auto& sandbox : runtime_.sandboxes()) {
    if (!sandbox.died) alive.push_back(&sandbox);
  }
  if (alive.empty()) return;
  const auto* sandbox = random_.pick(alive);
  say("the sandbox of " + sandbox->config.metadata.uid + " dies");
  runtime_.sandbox_dies(sandbox->id, random_.chance(500));
}

// Copies a sandbox that the store knows: berthd has to know its own, whoever else has its labels.
// None of a pod with a pinned uid: what an earlier pod of that uid asked for, and so a copy of it,
// is the next one's to remove.
void SimulatedNode::copy_sandbox() {
  if (!runtime_.reachable() || runtime_.hung()) return;
  std::vector<const SandboxRecord*> known;
  for (const auto& sandbox : runtime_.sandboxes()) {
    const auto row = store_.rows().find(sandbox.config.metadata.uid);
    if (!sandbox.died && !sandbox.stop_called && row != store_.rows().end() &&
        !is_pinned(*row->second->pod) && row->second->sandboxes.contains(sandbox.id.str()))
      known.push_back(&sandbox);
  }
  if (known.empty()) return;
  const auto* sandbox = copying_->pick(known);
  if (runtime_.copy_sandbox(sandbox->id))
    say("somebody copies the sandbox of " + sandbox->config.metadata.uid);
}

void SimulatedNode::end_container() {
  std::vector<const Instance*> alive;
  for (const auto& instance : runtime_.instances()) {
    if (instance.live()) alive.push_back(&instance);
  }
  if (alive.empty()) return;
  const auto* instance = random_.pick(alive);
  say(fmt::format("{} of {} ends", instance->name, instance->pod_uid));
  runtime_.container_ends(instance->id, random_.chance(300) ? 0 : 1);
}

// StopContainer fails for a container, whoever calls it, until its sandbox is stopped; often its
// pod is to end then.
void SimulatedNode::refuse_stop() {
  std::vector<const Instance*> alive;
  for (const auto& instance : runtime_.instances())
    if (instance.live()) alive.push_back(&instance);
  if (alive.empty()) return;
  const auto* instance = random_.pick(alive);
  say(fmt::format("{} of {} cannot be stopped from now on", instance->name, instance->pod_uid));
  runtime_.refuse_stop(instance->id);
  if (!agent_ || !random_.chance(700)) return;
  for (const PodPtr& pod : agent_->pods().snapshot())
    if (pod->metadata.uid == instance->pod_uid)
      return order_end(*pod, seconds(random_.between(1, 20)));
}

// The records of a pod that is shown as finished vanish while berthd is away: then only the store
// has it.
void SimulatedNode::records_vanish() {
  if (agent_) return;
  for (const auto& [uid, pod] : invariants().pods()) {
    const auto row = store_.rows().find(uid);
    if (row == store_.rows().end() || row->second->verdict != lifecycle::Verdict::kCompleted)
      continue;
    if (pod.final_phase.empty() || !pod.orders.empty()) continue;
    say("the runtime's records of " + uid + " are removed");
    runtime_.records_vanish(uid);
  }
}

// A late create call adds a container to a pod that is shown as finished: nothing waits for that
// call any more.
void SimulatedNode::create_comes_late() {
  for (const auto& [uid, pod] : invariants().pods()) {
    if (pod.final_phase.empty() || !pod.orders.empty() || !pod.desired) continue;
    for (const auto& container : pod.pod->spec.containers) {
      const auto all = invariants().instances(uid, container.name);
      if (all.empty() || !all.back()->exited) continue;
      say(fmt::format("a late call creates {} of {} once more", container.name, uid));
      return runtime_.created_late(all.back()->id);
    }
  }
}

void SimulatedNode::runtime_goes_down() {
  if (!runtime_.reachable()) return;
  runtime_.go_down();
  disturbances().trouble();
  if (random_.chance(500)) runtime_loses_sight();
  runtime_returns_ = soon(milliseconds(100), seconds(20));
}

// The process that monitored a container for the runtime (its shim) is gone when the runtime comes
// back.
void SimulatedNode::runtime_loses_sight() {
  std::vector<cri::ContainerId> live;
  for (const auto& instance : runtime_.instances())
    if (instance.live()) live.push_back(instance.id);
  if (live.empty()) return;
  say("the runtime loses sight of a container");
  runtime_.lose_sight_of(random_.pick(live));
}

void SimulatedNode::runtime_hangs() {
  if (!runtime_.reachable() || runtime_.hung()) return;
  runtime_.hang();
  disturbances().trouble();
  runtime_returns_ = soon(milliseconds(100), seconds(40));
}

void SimulatedNode::stream_falls_silent() {
  if (!runtime_.reachable() || runtime_.hung()) return;
  runtime_.fall_silent();
  disturbances().trouble();
  stream_is_silent_ = true;
  stream_returns_ = soon(seconds(1), seconds(90));
}

}  // namespace berth::simulation
