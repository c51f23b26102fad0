// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/phase.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/restart_policy.hpp"

namespace berth::lifecycle {
namespace {

struct Counts {
  int failed_init = 0;        // exited with an error, now or last
  int final_failed_init = 0;  // … and may not be tried again
  int pending_init = 0;
  int pending_sidecars = 0;
  int waiting = 0;
  int running = 0;
  int stopped = 0;
  int succeeded = 0;
  int restartable = 0;  // stopped, and restarted by their own rules
  int unknown = 0;
};

class Counter {
 public:
  explicit Counter(const PhaseInput& input) : input_(input) {}

  Counts count() {
    for (const api::Container& container : input_.pod.spec.initContainers) {
      is_sidecar(container) ? count_sidecar(container) : count_init(container);
    }
    for (const api::Container& container : input_.pod.spec.containers) count_regular(container);
    return counts_;
  }

 private:
  const api::ContainerStatus* status_of(const api::Container& container) const {
    const auto found =
        std::ranges::find(input_.statuses, container.name, &api::ContainerStatus::name);
    return found == input_.statuses.end() ? nullptr : &*found;
  }

  bool restarts(const api::Container& container, std::int32_t exit_code) const {
    return restarts_after_exit(input_.pod, restart_rules(container), exit_code, input_.options);
  }

  void count_exited_init(const api::Container& container, std::int32_t exit_code) {
    if (exit_code == 0) return;
    ++counts_.failed_init;
    if (!restarts(container, exit_code)) ++counts_.final_failed_init;
  }

  void count_init(const api::Container& container) {
    const api::ContainerStatus* status = status_of(container);
    if (status == nullptr || status->state.running) {
      ++counts_.pending_init;
    } else if (status->state.terminated) {
      count_exited_init(container, status->state.terminated->exitCode);
    } else if (status->state.waiting && status->lastState.terminated) {
      count_exited_init(container, status->lastState.terminated->exitCode);
    } else {
      ++counts_.pending_init;
    }
  }

  void count_sidecar(const api::Container& container) {
    const api::ContainerStatus* status = status_of(container);
    if (status == nullptr) {
      ++counts_.unknown;
    } else if (status->state.running) {
      ++counts_.running;
      if (!status->started.value_or(false)) ++counts_.pending_sidecars;
    } else if (status->state.terminated) {
      // Neither running nor stopped: it will be restarted, or the pod ends with the others.
    } else if (status->state.waiting) {
      if (status->lastState.terminated) return;
      ++counts_.pending_sidecars;
      ++counts_.waiting;
    } else {
      ++counts_.pending_sidecars;
      ++counts_.unknown;
    }
  }

  void count_regular(const api::Container& container) {
    const api::ContainerStatus* status = status_of(container);
    if (status == nullptr) {
      ++counts_.unknown;
    } else if (status->state.running || input_.starting_again.contains(container.name)) {
      ++counts_.running;
    } else if (status->state.terminated) {
      ++counts_.stopped;
      const std::int32_t exit_code = status->state.terminated->exitCode;
      if (exit_code == 0) ++counts_.succeeded;
      if (restarts(container, exit_code)) ++counts_.restartable;
    } else if (status->state.waiting) {
      if (!status->lastState.terminated) {
        ++counts_.waiting;
        return;
      }
      ++counts_.stopped;
      if (restarts(container, status->lastState.terminated->exitCode)) ++counts_.restartable;
    } else {
      ++counts_.unknown;
    }
  }

  const PhaseInput& input_;
  Counts counts_{};
};

// If no container has a policy of its own, only the pod's decides, as without the feature.
bool by_container(const FeatureOptions& options, const api::Pod& pod) {
  return options.container_restart_rules && has_own_restart_policy(pod);
}

struct Ruled {
  std::string_view phase{};
  std::string_view rule{};
};

// The rules, by which phase_reason looks up its clause.
constexpr std::string_view kInitFailed = "InitFailed";
constexpr std::string_view kNotStarted = "NotStarted";
constexpr std::string_view kStarted = "Started";
constexpr std::string_view kComesBack = "ComesBack";
constexpr std::string_view kStopped = "Stopped";
constexpr std::string_view kNothingLeftToRun = "NothingLeftToRun";
constexpr std::string_view kUnclear = "Unclear";
constexpr std::string_view kStaysEnded = "StaysEnded";
constexpr std::string_view kUnfinished = "Unfinished";

bool comes_back(const PhaseInput& input, const Counts& counts) {
  if (by_container(input.options, input.pod)) return counts.restartable > 0;
  const std::string& policy = input.pod.spec.restartPolicy;
  if (policy == "Always") return true;
  return policy != "Never" && counts.stopped != counts.succeeded;
}

Ruled when_stopped(const PhaseInput& input, const Counts& counts) {
  const std::string_view by_exit_codes = counts.stopped == counts.succeeded ? kSucceeded : kFailed;
  const bool keeps_own_rules = input.options.static_pod_rules && is_static(input.pod);
  if (input.pod_is_terminal && !keeps_own_rules) return {by_exit_codes, kStopped};
  if (comes_back(input, counts)) return {kRunning, kComesBack};
  return {by_exit_codes, kNothingLeftToRun};
}

Ruled by_containers(const PhaseInput& input) {
  const Counts counts = Counter(input).count();
  const int final_failures = by_container(input.options, input.pod)    ? counts.final_failed_init
                             : input.pod.spec.restartPolicy == "Never" ? counts.failed_init
                                                                       : 0;
  if (final_failures > 0) return {kFailed, kInitFailed};
  if (counts.pending_init > 0 || counts.waiting > 0 ||
      (counts.pending_sidecars > 0 && !input.pod_has_initialized)) {
    return {kPending, kNotStarted};
  }
  if (counts.running > 0 && counts.unknown == 0) return {kRunning, kStarted};
  if (counts.running == 0 && counts.stopped > 0 && counts.unknown == 0) {
    return when_stopped(input, counts);
  }
  return {kPending, kUnclear};
}

struct RuleClause {
  std::string_view rule{};
  const char* text{};
};

// {policy}: whose restart policy decides; {exits}: how the containers exited.
constexpr std::array kClauses = {
    RuleClause{kInitFailed, "an init container has failed and is not tried again ({policy})"},
    RuleClause{kNotStarted, "not all of it has started"},
    RuleClause{kStarted, "its containers have started"},
    RuleClause{kComesBack, "what has ended is started again ({policy})"},
    RuleClause{kStopped, "berthd terminated it, and {exits}"},
    RuleClause{kNothingLeftToRun, "{exits}, and nothing is started again ({policy})"},
    RuleClause{kUnclear, "the state of its containers is not known"},
    RuleClause{kStaysEnded, "a pod that has ended stays so"},
    RuleClause{kDeadlineExceeded, "its activeDeadlineSeconds have expired"},
    RuleClause{kUnfinished, "berthd terminated it before all of it had run"}};

api::Container phase_part(const api::Container& container) {
  api::Container part;
  part.name = container.name;
  part.restartPolicy = container.restartPolicy;
  part.restartPolicyRules = container.restartPolicyRules;
  return part;
}

}  // namespace

std::string_view compute_phase(const PhaseInput& input) {
  return by_containers(input).phase;
}

// A terminal phase is never left.
PhaseDecision decide_phase(const PhaseQuestion& question) {
  Ruled ruled = by_containers({.pod = question.pod,
                               .statuses = question.statuses,
                               .starting_again = question.starting_again,
                               .pod_is_terminal = question.pod_is_terminal,
                               .pod_has_initialized = question.pod_has_initialized,
                               .options = question.options});
  if (!is_terminal_phase(ruled.phase)) {
    if (is_terminal_phase(question.previous)) {
      ruled = {question.previous, kStaysEnded};
    } else if (is_terminal_phase(question.known)) {
      ruled = {question.known, kStaysEnded};
    }
  }
  const std::string_view settled = ruled.phase;
  if (question.deadline_exceeded) ruled = {kFailed, kDeadlineExceeded};
  if (is_terminal_phase(question.known) && ruled.phase != question.known)
    ruled = {question.known, kStaysEnded};
  if (question.finalised) {
    const auto final_phase = finalised_phase(question.pod, ruled.phase, question.options);
    if (final_phase != ruled.phase) ruled = {final_phase, kUnfinished};
  }
  return {.phase = std::string(ruled.phase),
          .shown = std::string(
              shown_phase(ruled.phase, question.shown_before, question.containers_may_run)),
          .settled = std::string(settled),
          .rule = ruled.rule};
}

Reason phase_reason(const PhaseQuestion& question, const PhaseDecision& decision) {
  const auto* clause = std::ranges::find(kClauses, decision.rule, &RuleClause::rule);
  const bool own = by_container(question.options, question.pod);
  return {
      .subject = "pod",
      .rule = std::string(decision.rule),
      .text = fmt::format(
          fmt::runtime(clause == kClauses.end() ? "" : clause->text),
          fmt::arg("policy", own ? "the containers' own restart policies"
                                 : "restartPolicy " + question.pod->spec.restartPolicy),
          fmt::arg("exits", decision.phase == kSucceeded ? "every container has succeeded"
                                                         : "not every container has succeeded"))};
}

std::string_view shown_phase(std::string_view phase, std::string_view shown_before,
                             bool containers_may_run) {
  const bool held_back =
      containers_may_run && is_terminal_phase(phase) && !is_terminal_phase(shown_before);
  if (!held_back) return phase;
  return shown_before.empty() ? kPending : shown_before;
}

std::string_view finalised_phase(const api::Pod& pod, std::string_view phase,
                                 const FeatureOptions& options) {
  const bool keeps_phase = options.static_pod_rules && is_static(pod);
  return keeps_phase || is_terminal_phase(phase) ? phase : kFailed;
}

api::Pod phase_part(const api::Pod& pod) {
  api::Pod part = named_part(pod);
  if (const auto source = pod.metadata.annotations.find(kAnnotationConfigSource);
      source != pod.metadata.annotations.end())
    part.metadata.annotations.insert(*source);
  part.spec.restartPolicy = pod.spec.restartPolicy;
  for (const auto& container : pod.spec.containers)
    part.spec.containers.push_back(phase_part(container));
  for (const auto& container : pod.spec.initContainers)
    part.spec.initContainers.push_back(phase_part(container));
  return part;
}

api::ContainerStatus phase_part(const api::ContainerStatus& status) {
  api::ContainerStatus part;
  part.name = status.name;
  part.started = status.started;
  if (status.state.running) part.state.running.emplace();
  if (status.state.waiting) part.state.waiting.emplace();
  if (status.state.terminated)
    part.state.terminated = {.exitCode = status.state.terminated->exitCode};
  if (status.lastState.terminated)
    part.lastState.terminated = {.exitCode = status.lastState.terminated->exitCode};
  return part;
}

bool has_started_regular_container(const api::Pod& pod, const RuntimePod& runtime) {
  return std::ranges::any_of(runtime.containers, [&](const RuntimeContainer& record) {
    return runtime.in_newest_sandbox(record) && find_container(pod, record.name) != nullptr;
  });
}

}  // namespace berth::lifecycle
