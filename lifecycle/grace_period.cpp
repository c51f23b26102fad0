// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/grace_period.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

std::optional<std::int64_t> seconds_in(const cri::StringMap& annotations, const char* key) {
  const auto found = annotations.find(key);
  if (found == annotations.end()) return std::nullopt;
  const std::string& text = found->second;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return count;
}

std::optional<std::int64_t> probe_seconds(const api::Container& container, KillReason reason) {
  const std::optional<api::Probe>* probe = nullptr;
  if (reason == KillReason::kStartupProbe) probe = &container.startupProbe;
  if (reason == KillReason::kLivenessProbe) probe = &container.livenessProbe;
  if (probe == nullptr || !*probe) return std::nullopt;
  return (*probe)->terminationGracePeriodSeconds;
}

StopGrace with_override(std::int64_t base, std::optional<std::int64_t> override_seconds,
                        bool has_pre_stop) {
  const std::int64_t effective =
      std::clamp(override_seconds.value_or(base), -kLongestGraceSeconds, kLongestGraceSeconds);
  return StopGrace{.base_seconds = base,
                   .effective_seconds = effective,
                   .run_pre_stop = has_pre_stop && effective > 0};
}

}  // namespace

Nanoseconds longest_end(std::int64_t grace_seconds) {
  const auto period = std::chrono::seconds(std::min(grace_seconds, kLongestGraceSeconds));
  return std::max<Nanoseconds>(std::chrono::seconds(10), period + period / 2);
}

GraceRequest grace_request(const api::Pod& pod, std::optional<std::int64_t> override_seconds) {
  return GraceRequest{.deletion_seconds = pod.metadata.deletionGracePeriodSeconds,
                      .termination_seconds = pod.spec.terminationGracePeriodSeconds,
                      .override_seconds = override_seconds};
}

EffectiveGrace effective_grace(std::int64_t previous, const GraceRequest& request) {
  std::int64_t seconds = previous;
  bool overridden = false;
  // A period of 0 counts as "none yet", so that it finally becomes the shortest one.
  for (const auto& wanted : {request.deletion_seconds, request.override_seconds}) {
    if (!wanted || (seconds != 0 && *wanted >= seconds)) continue;
    seconds = *wanted;
    overridden = true;
  }
  if (!overridden && seconds == 0 && request.termination_seconds) {
    seconds = *request.termination_seconds;
  }
  seconds = std::clamp(seconds, kShortestPodGraceSeconds, kLongestGraceSeconds);
  return EffectiveGrace{.seconds = seconds, .shortened = previous != 0 && seconds != previous};
}

GraceDecision decide_grace(const GraceQuestion& question) {
  EffectiveGrace grace =
      effective_grace(question.previous, grace_request(question.pod, question.override_seconds));
  if (question.previous != 0 && grace.seconds > question.previous)
    grace = {.seconds = question.previous, .shortened = false};
  const api::Time ends{question.requested_at + std::chrono::seconds(grace.seconds)};
  return GraceDecision{
      .seconds = grace.seconds, .shortened = grace.shortened, .ends_at = ends.whole_seconds().at};
}

GraceQuestion grace_question(const api::Pod& pod, const Ending& ending, std::int64_t previous) {
  std::optional<std::int64_t> override_seconds;
  if (ending.grace) override_seconds = ending.grace->count();
  return {.pod = pod,
          .previous = previous,
          .override_seconds = override_seconds,
          .cause = ending.cause,
          .forced = by_force(ending),
          .requested_at = ending.requested_at};
}

OrderInForce in_force(const api::Pod& pod, const std::optional<EndInForce>& before,
                      const Ending& order) {
  OrderInForce now{.end = {.ending = before ? merge(before->ending, order) : order}};
  if (!sets_period(now.end.ending)) return now;
  const std::int64_t previous = before ? before->grace_seconds : 0;
  GraceQuestion question = grace_question(pod, now.end.ending, previous);
  const GraceDecision decision = decide_grace(question);
  now.end.grace_seconds = decision.seconds;
  now.grace = DecidedGrace{.question = std::move(question), .decision = decision};
  return now;
}

Reasons grace_reasons(const GraceQuestion& question, const GraceDecision& decision) {
  const auto& own = question.pod->spec.terminationGracePeriodSeconds;
  const bool asked = question.override_seconds == decision.seconds;
  std::string_view whose = "the shortest that a pod gets";
  if (asked) {
    whose = "as was asked";
  } else if (own == decision.seconds) {
    whose = "its terminationGracePeriodSeconds";
  } else if (question.pod->metadata.deletionGracePeriodSeconds == decision.seconds) {
    whose = "its deletionGracePeriodSeconds";
  }
  return {{.subject = "pod",
           .rule = "Ordered",
           .text = end_cause_text(question.cause, question.forced)},
          {.subject = "pod",
           .rule = "GracePeriod",
           .text = fmt::format("{} s, {}", decision.seconds, whose)}};
}

api::Pod grace_part(const api::Pod& pod) {
  api::Pod part = named_part(pod);
  part.metadata.deletionGracePeriodSeconds = pod.metadata.deletionGracePeriodSeconds;
  part.spec.terminationGracePeriodSeconds = pod.spec.terminationGracePeriodSeconds;
  return part;
}

StoredStop stored_stop(const cri::StringMap& annotations) {
  return StoredStop{
      .termination_seconds = seconds_in(annotations, cri::kAnnotationPodTerminationGracePeriod),
      .deletion_seconds = seconds_in(annotations, cri::kAnnotationPodDeletionGracePeriod),
      .has_pre_stop = annotations.contains(cri::kAnnotationPreStopHandler)};
}

StopGrace stop_grace(const api::Pod& pod, const api::Container& container, KillReason reason,
                     std::optional<std::int64_t> override_seconds) {
  std::int64_t base = kShortestStopTimeoutSeconds;
  if (pod.metadata.deletionGracePeriodSeconds) {
    base = *pod.metadata.deletionGracePeriodSeconds;
  } else if (pod.spec.terminationGracePeriodSeconds) {
    base = probe_seconds(container, reason).value_or(*pod.spec.terminationGracePeriodSeconds);
  }
  const bool has_pre_stop = container.lifecycle && container.lifecycle->preStop;
  return with_override(base, override_seconds, has_pre_stop);
}

StopGrace stop_grace(const StoredStop& stored, std::optional<std::int64_t> override_seconds) {
  const std::int64_t base = stored.deletion_seconds      ? *stored.deletion_seconds
                            : stored.termination_seconds ? *stored.termination_seconds
                                                         : kShortestStopTimeoutSeconds;
  return with_override(base, override_seconds, stored.has_pre_stop);
}

StopPeriod ordered_period(const OrderedStop& stop, SteadyTime now) {
  if (stop.untouched && stop.period.begun_at < stop.ordered_at)
    return {.begun_at = stop.ordered_at, .seconds = stop.seconds};
  const StopPeriod sooner{.begun_at = now, .seconds = stop.seconds};
  return sooner.ends_at() < stop.period.ends_at() ? sooner : stop.period;
}

std::int64_t stop_timeout_seconds(std::int64_t effective_seconds, Nanoseconds pre_stop_took,
                                  Nanoseconds waited) {
  using std::chrono::floor;
  using std::chrono::seconds;
  const std::int64_t left =
      effective_seconds - floor<seconds>(pre_stop_took).count() - floor<seconds>(waited).count();
  return std::max(left, kShortestStopTimeoutSeconds);
}

std::string default_kill_message(std::string_view container) {
  return "Stopping container " + std::string(container);
}

}  // namespace berth::lifecycle
