// SPDX-License-Identifier: Apache-2.0

#include "probes/probe_state.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace berth::probes {
namespace {

// An attempt is in doubt if this share of its time was lost by ourselves, ignoring delays that any
// process may have.
constexpr Nanoseconds kMoment = std::chrono::milliseconds{10};
constexpr int kPartInDoubt = 4;

ProbeResult initial_result(ProbeType type) {
  switch (type) {
    case ProbeType::kReadiness:
      return ProbeResult::kFailure;  // not ready until proven
    case ProbeType::kLiveness:
      return ProbeResult::kSuccess;  // alive until proven otherwise
    case ProbeType::kStartup:
      break;
  }
  return ProbeResult::kUnknown;
}

bool decides_for_good(ProbeType type, ProbeResult result) {
  if (type == ProbeType::kLiveness) return result == ProbeResult::kFailure;
  return type == ProbeType::kStartup && result != ProbeResult::kUnknown;
}

// Announces the result only if it is new.
std::optional<ProbeUpdate> hold(ProbeState& state, ProbeResult result) {
  if (state.held == result) return std::nullopt;
  state.held = result;
  return ProbeUpdate{.container = state.container, .result = result};
}

void hold(Visit& visit, ProbeResult result) {
  if (auto update = hold(visit.state, result)) visit.updates.push_back(std::move(*update));
}

Visit wait(Visit visit, std::string_view why) {
  visit.next = Next::kWait;
  visit.why = why;
  return visit;
}

Visit end(Visit visit, std::string_view why) {
  visit.next = Next::kEnd;
  visit.why = why;
  return visit;
}

Visit not_running(const ProbeRules& rules, const Sight& sight, Visit out) {
  hold(out, ProbeResult::kFailure);
  if (sight.terminated && rules.never_restarted) {
    return end(std::move(out), "the container has ended and is not restarted");
  }
  return wait(std::move(out), "the container does not run");
}

// A container's own policy (Always for a sidecar) and its rules take precedence over the pod's.
bool never_restarted(const api::Container& container, const api::Pod& pod) {
  return container.restartPolicyRules.empty() &&
         container.restartPolicy.value_or(pod.spec.restartPolicy) == "Never";
}

std::optional<ProbeNotice> notice(ProbeType type, const Attempt& attempt) {
  const std::string_view name = to_string(type);
  if (attempt.errored) {
    return ProbeNotice{.reason = "Unhealthy",
                       .message = fmt::format("{} probe errored and resulted in {} state: {}", name,
                                              to_string(attempt.outcome), attempt.output)};
  }
  if (attempt.outcome == Outcome::kFailure) {
    return ProbeNotice{.reason = "Unhealthy",
                       .message = fmt::format("{} probe failed: {}", name, attempt.output)};
  }
  if (attempt.outcome == Outcome::kWarning) {
    return ProbeNotice{.reason = "ProbeWarning",
                       .message = fmt::format("{} probe warning: {}", name, attempt.output)};
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(ProbeType type) {
  switch (type) {
    case ProbeType::kStartup:
      return "Startup";
    case ProbeType::kReadiness:
      return "Readiness";
    case ProbeType::kLiveness:
      break;
  }
  return "Liveness";
}

std::string_view to_string(ProbeResult result) {
  switch (result) {
    case ProbeResult::kSuccess:
      return "success";
    case ProbeResult::kFailure:
      return "failure";
    case ProbeResult::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::kErrored:
      return "errored";
    case Standing::kTooEarly:
      return "too early";
    case Standing::kCounted:
      break;
  }
  return "counted";
}

ProbeRules probe_rules(ProbeType type, const api::Probe& probe, const api::Container& container,
                       const api::Pod& pod) {
  return {.type = type,
          .initial_delay_seconds = probe.initialDelaySeconds,
          .success_threshold = probe.successThreshold,
          .failure_threshold = probe.failureThreshold,
          .never_restarted = never_restarted(container, pod),
          .pod_was_deleted = pod.metadata.deletionTimestamp.has_value()};
}

ProbeState resumed_state(const ProbeRules& rules, cri::ContainerId container, ProbeResult kept) {
  return {.container = std::move(container),
          .held = kept,
          .on_hold = decides_for_good(rules.type, kept)};
}

Visit visit(const ProbeRules& rules, ProbeState state, const Sight& sight) {
  Visit out{.state = std::move(state)};
  if (!sight.pod_known) return wait(std::move(out), "the pod has no status yet");
  if (sight.pod_finished) return end(std::move(out), "the pod has finished");
  if (sight.container.empty()) return wait(std::move(out), "the container has not been created");
  if (sight.container != out.state.container) {
    // The run of equal answers continues: it is the probe's, not the container's.
    out.state.container = sight.container;
    out.state.held.reset();
    out.state.on_hold = false;
    hold(out, initial_result(rules.type));
  }
  if (out.state.on_hold) return wait(std::move(out), "decided for this container");
  if (!sight.running) return not_running(rules, sight, std::move(out));
  if (rules.pod_was_deleted && rules.type != ProbeType::kReadiness) {
    hold(out, ProbeResult::kSuccess);
    return end(std::move(out), "the pod is being deleted");
  }
  const auto running_for = std::chrono::floor<std::chrono::seconds>(sight.running_for);
  const std::chrono::seconds delay{rules.initial_delay_seconds};
  if (running_for < delay) {
    out.next = Next::kDelay;
    out.delay_left = delay - sight.running_for;
    out.why = "the initial delay is not over";
    return out;
  }
  const bool is_startup = rules.type == ProbeType::kStartup;
  if (sight.started && is_startup) return wait(std::move(out), "the container has started");
  if (!sight.started && !is_startup) return wait(std::move(out), "the container has not started");
  out.next = Next::kProbe;
  return out;
}

ProbeState without_predecessors_run(const ProbeRules& rules, ProbeState state,
                                    const cri::ContainerId& container) {
  const bool same = container.empty() || container == state.container;
  if (same || rules.type == ProbeType::kReadiness) return state;
  state.last.reset();
  state.run = 0;
  return state;
}

bool wants_readiness_now(bool started, bool running, std::optional<ProbeResult> readiness) {
  return started && running && readiness != ProbeResult::kSuccess;
}

bool tries_again(const Attempt& attempt, int tries) {
  return attempt.errored && tries < kTries;
}

Attempt without_own_delay(Attempt attempt, Nanoseconds held_up) {
  if (attempt.cause != Cause::kTimeout || attempt.errored) return attempt;
  if (held_up < kMoment || held_up * kPartInDoubt < attempt.took) return attempt;
  attempt.errored = true;
  attempt.cause = Cause::kOurs;
  attempt.output += fmt::format(" (not counted: berthd itself was held up for {} meanwhile)",
                                short_time(held_up));
  return attempt;
}

Judgement judge(const ProbeRules& rules, ProbeState state, const Attempt& attempt, Weight weight) {
  Judgement out{.state = std::move(state), .notice = notice(rules.type, attempt)};
  const bool passed = attempt.outcome == Outcome::kSuccess || attempt.outcome == Outcome::kWarning;
  if (attempt.errored) out.standing = Standing::kErrored;
  if (!attempt.errored && !passed && weight == Weight::kMayHelp) out.standing = Standing::kTooEarly;
  if (out.standing != Standing::kCounted) return out;
  const ProbeResult result = passed ? ProbeResult::kSuccess : ProbeResult::kFailure;
  if (out.state.last == result) {
    ++out.state.run;
  } else {
    out.state.last = result;
    out.state.run = 1;
  }
  if (out.state.run < (passed ? rules.success_threshold : rules.failure_threshold)) return out;
  out.update = hold(out.state, result);
  if (decides_for_good(rules.type, result)) {
    out.state.on_hold = true;
    out.state.run = 0;
  }
  return out;
}

JudgedAnswer judged(const ProbeRules& rules, ProbeState state, Attempt attempt, Weight weight) {
  JudgedAnswer answer{
      .rules = rules, .state = std::move(state), .attempt = std::move(attempt), .weight = weight};
  answer.judgement = judge(answer.rules, answer.state, answer.attempt, answer.weight);
  return answer;
}

}  // namespace berth::probes
