// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/why_present.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "eviction/eviction.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

// More containers than this are counted, not listed.
constexpr std::size_t kListed = 3;

bool condition_holds(const api::Pod& pod, std::string_view type) {
  return std::ranges::any_of(pod.status.conditions, [&](const api::PodCondition& condition) {
    return condition.type == type && condition.status == "True";
  });
}

std::string restarts_text(const api::ContainerStatus& status) {
  if (status.restartCount == 0) return "";
  return fmt::format(" ({} restart{})", status.restartCount, status.restartCount == 1 ? "" : "s");
}

// "app runs since 03:12:17 (3 restarts)"
std::string status_clause(const api::ContainerStatus& status, WallTime now) {
  if (const auto& running = status.state.running) {
    const auto since =
        running->startedAt ? " since " + clock_text(running->startedAt->at, now) : "";
    return fmt::format("{} runs{}{}", status.name, since, restarts_text(status));
  }
  if (const auto& ended = status.state.terminated) {
    const auto when = ended->finishedAt ? " at " + clock_text(ended->finishedAt->at, now) : "";
    return fmt::format("{} ended with {}{}", status.name, exit_code_text(ended->exitCode), when);
  }
  const auto& waiting = status.state.waiting;
  std::string text =
      fmt::format("{} waits ({})", status.name, waiting ? waiting->reason : "not started yet");
  if (const auto& last = status.lastState.terminated)
    text += ", after it ended with " + exit_code_text(last->exitCode);
  return text + restarts_text(status);
}

std::string containers_text(const api::Pod& pod, WallTime now) {
  std::vector<std::string> clauses;
  for (const api::ContainerStatus& status : pod.status.initContainerStatuses) {
    const auto& ended = status.state.terminated;
    const bool done = ended && ended->exitCode == 0;
    // Init containers are only mentioned if they are not as they should be.
    if (!done && !status.state.running) clauses.push_back(status_clause(status, now));
    if (status.state.running && !condition_holds(pod, "Initialized"))
      clauses.push_back(status_clause(status, now));
  }
  const auto& statuses = pod.status.containerStatuses;
  const bool initialized = condition_holds(pod, "Initialized") || clauses.empty();
  if (!initialized) return fmt::format("{}", fmt::join(clauses, "; "));
  std::size_t running = 0;
  for (const api::ContainerStatus& status : statuses) {
    if (status.state.running) ++running;
    if (statuses.size() <= kListed || !status.state.running)
      clauses.push_back(status_clause(status, now));
  }
  if (statuses.size() > kListed)
    clauses.insert(clauses.begin(),
                   fmt::format("{} of {} containers run", running, statuses.size()));
  return fmt::format("{}", fmt::join(clauses, "; "));
}

// Appends `rest`, if there is any, after a colon.
std::string sentence_of(std::string head, const std::string& rest) {
  return rest.empty() ? head + "." : head + ": " + rest + ".";
}

// After a restart: how long the next start would wait after another exit.
std::string future_wait(const RecordedPlan& recorded, const api::ContainerStatus& status,
                        WallTime now) {
  const PlanInput& input = recorded.question;
  const RestartIdentity identity = identity_in(input.pod, status.name);
  RestartBackoff history = input.restarts;
  const auto& starts = recorded.plan.actions.containers_to_start;
  const auto& containers = input.pod->spec.containers;
  // A damaged record may name a container that its pod does not have.
  const bool started = std::ranges::any_of(starts, [&](std::size_t i) {
    return i < containers.size() && containers[i].name == status.name;
  });
  if (started)
    history = record_start(std::move(history), input.restart_policy, identity,
                           last_exit(input.runtime, status.name), input.now);
  const auto entry = history.entries.find(identity.key());
  if (entry == history.entries.end()) return "";
  const WallTime forgiven = entry->second.last_start + input.restart_policy.reset_after;
  if (forgiven <= now) return "";
  return fmt::format(
      "If {} ends before {}, its next start waits {} from then; later it is "
      "started at once.",
      container_text(&*input.pod, status.name), clock_text(forgiven, now),
      span_text(window_of(entry->second, input.restart_policy)));
}

void add_refusals(const RecordedPlan& recorded, WallTime now, std::vector<std::string>& out) {
  std::vector<StartRefusal> refusals = recorded.plan.refusals;
  std::ranges::sort(refusals, {}, &StartRefusal::until);
  for (const StartRefusal& refusal : refusals) {
    const bool restart = refusal.reason == kCrashLoopBackOff;
    const std::string when = refusal.until <= now
                                 ? "now"
                                 : fmt::format("{}, in {}", clock_text(refusal.until, now),
                                               span_text(refusal.until - now));
    const PlanInput& input = recorded.question;
    const std::string backoff = restart
                                    ? backoff_text(input.restarts, input.restart_policy,
                                                   identity_in(input.pod, refusal.container))
                                    : pull_backoff_text(input.pulls, input.pod, refusal.container);
    out.push_back(fmt::format("Next {} of {}: {} ({}).", restart ? "start" : "pull of the image",
                              container_text(&*recorded.question.pod, refusal.container), when,
                              backoff));
  }
}

std::vector<std::string> coming_of_running(const api::Pod& pod, const RecordedPlan& recorded,
                                           WallTime now) {
  std::vector<std::string> out;
  add_refusals(recorded, now, out);
  const auto deadline = active_deadline(recorded.question.pod, recorded.question.start_time);
  if (deadline && *deadline > now)
    out.push_back(fmt::format("At {} the pod's activeDeadlineSeconds expire, and berthd stops it.",
                              clock_text(*deadline, now)));
  if (pod.spec.restartPolicy == "Never") return out;
  for (const api::ContainerStatus& status : pod.status.containerStatuses) {
    if (!status.state.running) continue;
    std::string wait = future_wait(recorded, status, now);
    if (!wait.empty()) out.push_back(std::move(wait));
  }
  return out;
}

}  // namespace

std::string present_sentence(const api::Pod* pod, const LedgerRecord* last, WallTime now) {
  if (pod == nullptr) {
    if (last == nullptr) return "The pod does not exist, and the ledger has no record of it.";
    return fmt::format("The pod is gone; the ledger's last record of it is from {}.",
                       clock_text(last->at, now));
  }
  const std::string containers = containers_text(*pod, now);
  if (const auto& deletion = pod->metadata.deletionTimestamp) {
    const auto grace = pod->metadata.deletionGracePeriodSeconds.value_or(0);
    return sentence_of(fmt::format("The pod is terminating, with a grace period of {} s until {}",
                                   grace, clock_text(deletion->at, now)),
                       containers);
  }
  const api::PodStatus& status = pod->status;
  const std::string phase = status.phase.empty() ? "not begun" : status.phase;
  if (!status.reason.empty()) {
    const std::string why =
        status.message.empty() ? status.reason : status.reason + ", " + status.message;
    return sentence_of("The pod is " + phase, why);
  }
  if (phase != kRunning) return sentence_of("The pod is " + phase, containers);
  const bool ready = condition_holds(*pod, "Ready");
  return sentence_of(ready ? "The pod is Running and ready" : "The pod is Running, but not ready",
                     containers);
}

std::string held_sentence(const HeldPod& held, const RuntimeSocket& socket, WallTime now) {
  return fmt::format("Since {} it waits: {}; {}.", clock_text(held.obstacle.since, now),
                     obstacle_text(held.obstacle), obstacle_advice(held, socket));
}

bool stays_evicted(const api::Pod& pod) {
  return pod.status.phase == kFailed && pod.status.reason == eviction::kReasonEvicted &&
         !pod.metadata.deletionTimestamp;
}

std::string evicted_sentence(const api::Pod& pod) {
  return fmt::format(
      "The pod stays Failed. berthd starts a new incarnation once the node has no pressure "
      "condition any more, 10 s after the eviction at the earliest, and later the more often the "
      "pod was evicted; `berthctl delete pod {}` starts one at once.",
      pod.metadata.name);
}

std::string shut_down_sentence(const api::Pod& pod) {
  return fmt::format(
      "The pod stays {}. berthd starts a new incarnation once the machine has booted again, or "
      "the shutdown is cancelled; `berthctl delete pod {}` starts one at once.",
      pod.status.phase, pod.metadata.name);
}

std::vector<std::string> coming_sentences(const api::Pod* pod, const RecordedPlan* plan,
                                          WallTime now) {
  if (pod == nullptr) return {"Nothing: the pod is gone."};
  if (const auto& deletion = pod->metadata.deletionTimestamp) {
    if (deletion->at > now)
      return {fmt::format("At {}, in {}, what still runs is killed; then berthd removes the pod.",
                          clock_text(deletion->at, now), span_text(deletion->at - now))};
    return {"Its grace period is over: what still runs is killed, then berthd removes the pod."};
  }
  if (is_terminal_phase(pod->status.phase))
    return {
        fmt::format("Nothing: the pod stays {}. A change of its manifest, or `berthctl delete "
                    "pod {}`, starts a new incarnation.",
                    pod->status.phase, pod->metadata.name)};
  std::vector<std::string> out;
  if (plan != nullptr) out = coming_of_running(*pod, *plan, now);
  if (out.empty()) out.emplace_back(kNothingDue);
  return out;
}

}  // namespace berth::lifecycle
