// SPDX-License-Identifier: Apache-2.0

#include "probes/probed_pod.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "probes/schedule.hpp"
#include "probes/short_period.hpp"

namespace berth::probes {
namespace {

constexpr auto kTypes = {ProbeType::kStartup, ProbeType::kReadiness, ProbeType::kLiveness};

const std::optional<api::Probe>& declared(const api::Container& container, ProbeType type) {
  if (type == ProbeType::kStartup) return container.startupProbe;
  return type == ProbeType::kReadiness ? container.readinessProbe : container.livenessProbe;
}

std::uint32_t in_microseconds(Nanoseconds time) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time.count() / 1'000, 0, kMost));
}

ProbeState first_state(const ProbeRules& rules, const std::string& container,
                       const std::vector<KeptResult>& kept) {
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const KeptResult& result) {
    return result.container == container && result.type == rules.type;
  });
  if (found == kept.end() || found->id.empty()) return {};
  return resumed_state(rules, found->id, found->result);
}

}  // namespace

std::unique_ptr<ProbedPod> probed_pod(const api::Pod& pod, const std::vector<KeptResult>& kept) {
  auto out = std::make_unique<ProbedPod>();
  out->name = std::make_shared<const PodName>(PodName{
      .uid = pod.metadata.uid, .namespace_ = pod.metadata.namespace_, .name = pod.metadata.name});
  const ShortPeriods shorter = short_periods(pod);
  const auto add = [&](const api::Container& container, bool init_container) {
    ProbedPodContainer entry{
        .name = container.name, .init_container = init_container, .ports = container.ports};
    for (const ProbeType type : kTypes) {
      const auto& spec = declared(container, type);
      if (!spec) continue;
      auto probe = std::make_shared<Probe>();
      probe->name = out->name;
      probe->pod = out.get();
      probe->container = out->containers.size();
      probe->rules = probe_rules(type, *spec, container, pod);
      probe->spec = *spec;
      probe->limit = std::chrono::seconds{std::max(spec->timeoutSeconds, 1)};
      const auto period = shorter.periods.find({container.name, type});
      probe->period = period != shorter.periods.end()
                          ? period->second
                          : Nanoseconds{std::chrono::seconds{std::max(spec->periodSeconds, 1)}};
      probe->state = first_state(probe->rules, container.name, kept);
      entry.probes.at(static_cast<std::size_t>(type)) = std::move(probe);
    }
    const bool none = std::all_of(entry.probes.begin(), entry.probes.end(),
                                  [](const auto& probe) { return probe == nullptr; });
    if (!none) out->containers.push_back(std::move(entry));
  };
  for (const auto& container : pod.spec.containers) add(container, false);
  for (const auto& container : pod.spec.initContainers) {
    if (container.restartPolicy == "Always") add(container, true);
  }
  return out;
}

std::map<std::string, std::string> literal_environment(const api::Pod& pod,
                                                       const std::string& container) {
  std::map<std::string, std::string> out;
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    for (const auto& candidate : *list) {
      if (candidate.name != container) continue;
      // As in the kubelet, what comes from elsewhere is empty here.
      for (const auto& variable : candidate.env) out[variable.name] = variable.value;
    }
  }
  return out;
}

Sight sight_of(const ProbedPod& pod, const ProbedPodContainer& container, SteadyTime now) {
  if (!pod.seen) return {};
  static const SeenContainer kUnseen;
  const SeenContainer& seen = container.seen == nullptr ? kUnseen : *container.seen;
  const Probe* startup = container.probe(ProbeType::kStartup);
  const bool passed = startup == nullptr || (startup->state.container == seen.id &&
                                             startup->state.held == ProbeResult::kSuccess);
  return {.pod_known = true,
          .pod_finished = pod.seen->finished,
          .container = seen.id,
          .running = seen.running,
          .terminated = seen.terminated,
          .started = seen.running && passed,
          .running_for = now - container.started_at};
}

SteadyTime failures_count_from(const Probe& probe, const ProbedPodContainer& container) {
  return failures_count_from(probe.rules, probe.period, container.started_at,
                             container.startup_passed_at);
}

Asking after_end(const Probe& probe) {
  const SeenContainer* seen = probe.pod->containers.at(probe.container).seen;
  const bool alone = seen != nullptr && seen->terminated && !probe.pod->seen->finished;
  return alone ? Asking::kUntilNext : Asking::kOver;
}

bool begins_anew(const Probe& probe) {
  if (probe.asking != Asking::kUntilNext) return false;
  const SeenContainer* seen = probe.pod->containers.at(probe.container).seen;
  return seen != nullptr && seen->running && seen->id != probe.state.container;
}

ProbeView view_of(const ProbedPod& pod, const Probe& probe, SteadyTime now, WallTime wall_now) {
  const auto& container = pod.containers.at(probe.container);
  ProbeView out{.pod = *pod.name,
                .container = container.name,
                .init_container = container.init_container,
                .type = probe.rules.type,
                .spec = probe.spec,
                .period = probe.period,
                .state = probe.state,
                .waits_for = probe.waits_for,
                .under_way = probe.under_way,
                .ended = probe.asking != Asking::kGoesOn,
                .worst_late = probe.past.worst_late,
                .counters = probe.past.counters};
  if (probe.due) out.next_at = wall_now + (*probe.due - now);
  out.runs = last_runs(probe);
  return out;
}

std::vector<ProbeRun> last_runs(const Probe& probe) {
  std::vector<ProbeRun> out;
  const std::size_t kept = std::min(probe.past.made, kRunsKept);
  for (std::size_t back = kept; back > 0; --back) {
    const PastRun& run = probe.past.latest.at((probe.past.made - back) % kRunsKept);
    out.push_back({.at = run.at,
                   .took = std::chrono::microseconds{run.took_us},
                   .late = std::chrono::microseconds{run.late_us},
                   .outcome = run.outcome,
                   .standing = run.standing,
                   .words = run.words ? *run.words : std::string()});
  }
  return out;
}

void count_run(ProbeCounters& counters, const Attempt& attempt, Standing standing) {
  if (standing == Standing::kErrored) {
    ++counters.errored;
    if (attempt.cause == Cause::kOurs) ++counters.held_up;
  }
  if (standing != Standing::kCounted) return;
  const bool passed = attempt.outcome == Outcome::kSuccess || attempt.outcome == Outcome::kWarning;
  if (!passed) {
    ++counters.failed;
    return;
  }
  ++counters.successful;
  const double seconds = std::chrono::duration<double>(attempt.took).count();
  counters.seconds += seconds;
  const auto bound = std::lower_bound(kDurationBounds.begin(), kDurationBounds.end(), seconds);
  if (bound != kDurationBounds.end()) {
    ++counters.within.at(static_cast<std::size_t>(bound - kDurationBounds.begin()));
  }
}

void note_run(Probe& probe, ProbeRun run) {
  PastRuns& past = probe.past;
  past.worst_late = std::max(past.worst_late, run.late);
  PastRun& kept = past.latest.at(past.made % kRunsKept);
  kept = {.at = run.at,
          .took_us = in_microseconds(run.took),
          .late_us = in_microseconds(run.late),
          .outcome = run.outcome,
          .standing = run.standing};
  if (!run.words.empty()) kept.words = std::make_unique<const std::string>(std::move(run.words));
  ++past.made;
}

void set_observed(ProbedPod& pod, const SeenPod& seen) {
  pod.seen = seen;
  for (auto& container : pod.containers) {
    const auto& all = pod.seen->containers;
    const auto found = std::find_if(all.begin(), all.end(), [&](const SeenContainer& one) {
      return one.name == container.name;
    });
    container.seen = found == all.end() ? nullptr : &*found;
  }
}

}  // namespace berth::probes
