// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_probes.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/pod_spec.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Younger answers may still be on their way to the status.
constexpr seconds kFresh{5};
// Whether a failure counts is uncertain within this time of when failures begin to count.
constexpr seconds kUnsure{1};

const api::Container* container_of(const api::Pod& pod, const std::string& name) {
  if (const auto* found = lifecycle::find_container(pod, name)) return found;
  return lifecycle::find_init_container(pod, name);
}

const std::optional<api::Probe>& probe_of(const api::Container& container,
                                          const std::string& type) {
  if (type == "startup") return container.startupProbe;
  return type == "readiness" ? container.readinessProbe : container.livenessProbe;
}

std::string container_named(const lifecycle::PodEvent& event) {
  const auto from = event.field_path.find('{') + 1;
  return event.field_path.substr(from, event.field_path.size() - from - 1);
}

std::string bare(const std::string& id) {
  const auto scheme = id.find("://");
  return scheme == std::string::npos ? id : id.substr(scheme + 3);
}

}  // namespace

void ProbeInvariants::agent_restarted() {
  answers_.clear();
  stored_.clear();
  running_.clear();
  for (const auto& [uid, memory] : store_->rows()) stored_[uid] = memory->probes;
  for (const auto& instance : runtime_->instances()) {
    const bool still_shown = instance.exit_shown && *instance.exit_shown > clock_.steady_now();
    if (instance.live() || (instance.started && still_shown)) running_.insert(instance.id.str());
  }
}

ProbeInvariants::Target ProbeInvariants::target_of(const AskedProbe& asked) const {
  Target target;
  std::string uid;
  for (const auto& sandbox : runtime_->sandboxes())
    if (!sandbox.removed && sandbox.ip == asked.host) uid = sandbox.config.metadata.uid;
  for (const auto& instance : runtime_->instances()) {
    const bool meant = asked.id.empty() ? instance.pod_uid == uid && instance.live() &&
                                              instance.name == asked.words.container
                                        : instance.id == asked.id;
    if (meant) target.instance = &instance;
  }
  if (target.instance != nullptr) uid = target.instance->pod_uid;
  const auto pod = invariants_.pods().find(uid);
  if (pod == invariants_.pods().end()) return target;
  target.uid = uid;
  target.container = container_of(*pod->second.pod, asked.words.container);
  return target;
}

ProbeInvariants::Kept ProbeInvariants::kept(const std::string& uid, const std::string& type,
                                            const std::string& id) const {
  const auto row = stored_.find(uid);
  if (row == stored_.end()) return running_.contains(id) ? Kept::kSuccess : Kept::kNothing;
  const auto& results = type == "startup"     ? row->second.startup
                        : type == "readiness" ? row->second.readiness
                                              : row->second.liveness;
  const auto result = lifecycle::result_of(results, cri::ContainerId(id));
  if (!result) return Kept::kNothing;
  if (*result == lifecycle::ProbeResult::kSuccess) return Kept::kSuccess;
  return *result == lifecycle::ProbeResult::kFailure ? Kept::kFailure : Kept::kUnknown;
}

bool ProbeInvariants::has_passed(const std::string& uid, const std::string& container,
                                 const std::string& type, const std::string& id) {
  return answers(uid, container, type).passed.contains(id) ||
         kept(uid, type, id) == Kept::kSuccess || invariants_.started_before_loss(id);
}

bool ProbeInvariants::probe_asked(const AskedProbe& asked) {
  const Target target = target_of(asked);
  if (target.container == nullptr || target.instance == nullptr) return target.instance != nullptr;
  const auto& words = asked.words;
  const std::string id = target.instance->id.str();
  if (Answers& known = answers(target.uid, words.container, words.type); known.of != id)
    known = {.of = id, .passed = std::move(known.passed), .decided_at = known.decided_at};
  if (words.type != "startup" && target.container->startupProbe &&
      !has_passed(target.uid, words.container, "startup", id))
    invariants_.violated(fmt::format("{} of {} of {} is asked before its startup probe has passed",
                                     words.type, words.container, target.uid));
  const auto& probe = probe_of(*target.container, words.type);
  if (probe && cadence_ != nullptr) cadence_->asked(*target.instance, words.type, *probe);
  return target.instance->live();
}

void ProbeInvariants::probe_answered(const AskedProbe& asked, const probes::Attempt& attempt) {
  const Target target = target_of(asked);
  if (target.container == nullptr) return;
  const auto& words = asked.words;
  const auto& probe = probe_of(*target.container, words.type);
  if (!probe) return;
  if (!attempt.errored) count_answer(target, asked, *probe, attempt);
  if (target.instance == nullptr || cadence_ == nullptr) return;
  const Answers& known = answers(target.uid, words.container, words.type);
  const bool passed = attempt.outcome == probes::Outcome::kSuccess;
  const bool decided = words.type == "startup" && passed
                           ? true
                           : words.type != "readiness" && known.failing >= probe->failureThreshold;
  cadence_->answered(*target.instance, words.type, *target.container,
                     {.errored = attempt.errored,
                      .passed = passed,
                      .ready = known.decided == true,
                      .decided = decided});
}

void ProbeInvariants::count_answer(const Target& target, const AskedProbe& asked,
                                   const api::Probe& probe, const probes::Attempt& attempt) {
  const auto& words = asked.words;
  Answers& known = answers(target.uid, words.container, words.type);
  const bool passed = attempt.outcome == probes::Outcome::kSuccess;
  if (target.instance != nullptr) count_failure(target, asked, probe, passed, attempt.took);
  known.failing = passed ? 0 : known.failing + 1;
  known.passing = passed ? known.passing + 1 : 0;
  // A container's first passed answer is news, whatever its predecessor's answers were.
  if (passed && !asked.id.empty() && known.passed.insert(asked.id.str()).second)
    known.decided_at = clock_.steady_now();
  // A container that is probed by address may no longer be the one that was meant.
  if (passed && asked.id.empty())
    for (const auto* instance : invariants_.instances(target.uid, words.container))
      known.passed.insert(instance->id.str());
  const bool enough =
      passed ? known.passing >= probe.successThreshold : known.failing >= probe.failureThreshold;
  if (!enough || known.decided == passed) return;
  known.decided = passed;
  known.has_failed = known.has_failed || !passed;
  known.decided_at = clock_.steady_now();
}

// Failures count from one period after the start, or after what has to precede the probe; to be
// safe, from a little later.
void ProbeInvariants::count_failure(const Target& target, const AskedProbe& asked,
                                    const api::Probe& probe, bool passed, Nanoseconds took) {
  const auto& words = asked.words;
  if (words.type == "readiness" || !target.instance->started) return;
  // A berthd that found it running knows its start in wall time.
  if (invariants_.disturbances().wall_jumped_since(*target.instance->started)) return;
  Answers& known = answers(target.uid, words.container, words.type);
  const std::string id = target.instance->id.str();
  if (known.id != id) known.counted = 0;
  known.id = id;
  if (passed) known.counted = 0;
  if (passed) known.passed_at = clock_.steady_now();
  SteadyTime from = *target.instance->started + seconds(probe.initialDelaySeconds);
  if (words.type == "liveness" && target.container->startupProbe) {
    const Answers& startup = answers(target.uid, words.container, "startup");
    if (startup.id == id) from = std::max(from, startup.passed_at);
  }
  const auto began = clock_.steady_now() - took;
  if (passed || began < from + seconds(probe.periodSeconds) + kUnsure) return;
  // A container whose startup probe has passed is not probed for startup again.
  if (words.type == "startup" && known.passed.contains(id)) return;
  if (++known.counted >= probe.failureThreshold && duties_ != nullptr)
    duties_->probe_failed(*target.instance, words.type);
}

// A kill is published with its reason, before the container gets its signal.
void ProbeInvariants::record(const api::Pod& pod, const lifecycle::PodEvent& event) {
  // A sidecar whose hook fails while it is stopped with the others, because the main containers
  // have ended, is killed alone from then on without a second event: the kubelet runs that hook
  // within the start.
  const auto its = invariants_.pods().find(pod.metadata.uid);
  if (event.reason == "FailedPostStartHook" && its != invariants_.pods().end() &&
      !its->second.is_ending())
    return kill_alone(pod, event, std::nullopt);
  if (event.reason != "Killing") return;
  const std::string stopping = container_named(event);
  const bool with_pod = event.message == "Stopping container " + stopping;
  for (const Instance* instance : invariants_.instances(pod.metadata.uid, stopping))
    if (instance->live() || (with_pod && instance == newest_started(pod, stopping)))
      invariants_.stop_reported(instance->id.str(), with_pod);
  if (event.message == "FailedPostStartHook") return kill_alone(pod, event, std::nullopt);
  for (const std::string type : {"liveness", "startup"}) {
    if (event.message.find("failed " + type + " probe") == std::string::npos) continue;
    const auto name = container_named(event);
    const auto* container = container_of(pod, name);
    if (container == nullptr || !probe_of(*container, type)) {
      return invariants_.violated(
          fmt::format("{} of {} is killed for a probe it does not have", name, pod.metadata.uid));
    }
    Answers& known = answers(pod.metadata.uid, name, type);
    const auto all = invariants_.instances(pod.metadata.uid, name);
    const bool stored = std::ranges::any_of(all, [&](const Instance* instance) {
      // A container that has ended by itself may be shown as running for a while, and a berthd that
      // has just begun may wait for the runtime's status of another container of the pod.
      const bool runs = !instance->exit_reported ||
                        *instance->exit_shown + milliseconds(500) > clock_.steady_now();
      return runs && kept(pod.metadata.uid, type, instance->id.str()) == Kept::kFailure;
    });
    const int threshold = probe_of(*container, type)->failureThreshold;
    if (known.failing < threshold && !stored)
      invariants_.violated(fmt::format("{} of {} is killed after {} of {} failures of its {} probe",
                                       name, pod.metadata.uid, known.failing, threshold, type));
    known.failing = 0;
    check_periods(pod, *container, type);
    std::optional<seconds> grace;
    const auto own = probe_of(*container, type)->terminationGracePeriodSeconds;
    if (own) grace = seconds(*own);
    kill_alone(pod, event, grace);
  }
}

// Periods are counted from the start of its process, whichever berthd probed it since, and whatever
// failed before.
void ProbeInvariants::check_periods(const api::Pod& pod, const api::Container& container,
                                    const std::string& type) {
  const api::Probe& probe = *probe_of(container, type);
  const seconds due{probe.initialDelaySeconds + probe.failureThreshold * probe.periodSeconds};
  for (const Instance* instance : invariants_.instances(pod.metadata.uid, container.name)) {
    // A berthd that found it running knows its start in wall time.
    if (!instance->live() || invariants_.disturbances().wall_jumped_since(*instance->started))
      continue;
    const Nanoseconds lived = clock_.steady_now() - *instance->started;
    if (lived >= due) continue;
    invariants_.violated(fmt::format(
        "{} of {} is killed for its {} probe {:.3f} s after its start: {} periods of {} s after "
        "an initial delay of {} s have not passed",
        container.name, pod.metadata.uid, type, std::chrono::duration<double>(lived).count(),
        probe.failureThreshold, probe.periodSeconds, probe.initialDelaySeconds));
  }
}

void ProbeInvariants::kill_alone(const api::Pod& pod, const lifecycle::PodEvent& event,
                                 std::optional<seconds> grace) {
  const Instance* newest = newest_started(pod, container_named(event));
  if (newest != nullptr) invariants_.killed_alone(newest->id.str(), grace);
}

// The instance that an event refers to: it may have ended by itself since the decision.
const Instance* ProbeInvariants::newest_started(const api::Pod& pod,
                                                const std::string& container) const {
  const Instance* newest = nullptr;
  for (const Instance* instance : invariants_.instances(pod.metadata.uid, container))
    if (instance->started) newest = instance;
  return newest;
}

void ProbeInvariants::published(const PodPtr& pod) {
  const auto history = invariants_.pods().find(pod->metadata.uid);
  if (history == invariants_.pods().end() || history->second.spec_lost) return;
  const auto check = [&](const std::vector<api::Container>& specs,
                         const std::vector<api::ContainerStatus>& statuses) {
    for (const auto& status : statuses) {
      const auto spec = std::ranges::find(specs, status.name, &api::Container::name);
      if (spec != specs.end()) check_shown(*pod, *spec, status);
    }
  };
  check(history->second.pod->spec.containers, pod->status.containerStatuses);
  check(history->second.pod->spec.initContainers, pod->status.initContainerStatuses);
}

void ProbeInvariants::check_shown(const api::Pod& pod, const api::Container& spec,
                                  const api::ContainerStatus& status) {
  if (!status.state.running) return;
  const auto& uid = pod.metadata.uid;
  const auto id = bare(status.containerID);
  if (status.started == true && spec.startupProbe && !has_passed(uid, spec.name, "startup", id))
    invariants_.violated(fmt::format(
        "{} of {} is shown as started and its startup probe has not passed", spec.name, uid));
  if (status.ready && spec.readinessProbe && !has_passed(uid, spec.name, "readiness", id))
    invariants_.violated(fmt::format(
        "{} of {} is shown as ready and its readiness probe has not passed", spec.name, uid));
  if (!status.ready && spec.readinessProbe) check_flap(pod, spec, id);
}

void ProbeInvariants::check_flap(const api::Pod& pod, const api::Container& spec,
                                 const std::string& id) {
  const auto& uid = pod.metadata.uid;
  // A container that is stopped to be restarted is shown as running meanwhile.
  const auto all = invariants_.instances(uid, spec.name);
  const bool live = std::ranges::any_of(all, [&](const Instance* instance) {
    return instance->live() && !instance->first_term && instance->id.str() == id;
  });
  if (!live || kept(uid, "readiness", id) != Kept::kSuccess) return;
  // A container that is probed by address has no address without its sandbox.
  for (const auto& sandbox : runtime_->sandboxes())
    if (sandbox.config.metadata.uid == uid && sandbox.died) return;
  if (spec.startupProbe && kept(uid, "startup", id) != Kept::kSuccess) return;
  // If it has passed again since, the old state is shown until its worker is notified.
  if (answers(uid, spec.name, "readiness").has_failed) return;
  invariants_.violated(fmt::format(
      "{} of {} was ready before berthd began, no probe has failed, and it is shown as not ready",
      spec.name, uid));
}

std::optional<std::string> ProbeInvariants::unsettled(const api::Pod& shown) const {
  const auto& uid = shown.metadata.uid;
  for (const auto& status : shown.status.containerStatuses) {
    const auto known = answers_.find(uid + "|" + status.name + "|readiness");
    if (known == answers_.end() || !known->second.decided || !status.state.running) continue;
    if (clock_.steady_now() - known->second.decided_at < kFresh) continue;
    if (known->second.of != bare(status.containerID)) continue;  // it may have no probe any more
    const auto& decided = *known->second.decided;
    const bool asked = known->second.passed.contains(bare(status.containerID));
    const auto all = invariants_.instances(uid, status.name);
    const bool live = std::ranges::any_of(all, [&](const Instance* instance) {
      // A container that was just started is shown with its own answers a little later.
      return instance->live() && instance->id.str() == bare(status.containerID) &&
             clock_.steady_now() - *instance->started >= kFresh;
    });
    if (!live || status.started != true || status.ready == decided || (decided && !asked)) continue;
    return fmt::format("the readiness probe of {} of {} has {} and it is shown as {}", status.name,
                       uid, decided ? "passed" : "failed", status.ready ? "ready" : "not ready");
  }
  return std::nullopt;
}

}  // namespace berth::simulation
