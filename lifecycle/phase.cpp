#include "lifecycle/phase.hpp"

#include <algorithm>

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
  int restartable = 0;  // stopped, and their own rules say that they come back
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
      // Neither running nor stopped: it will come back, or the pod ends with the others.
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
    } else if (status->state.running) {
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

// Where no container has a policy of its own, the pod's alone decides, as without the feature.
bool by_container(const PhaseInput& input) {
  return input.options.container_restart_rules && has_own_restart_policy(input.pod);
}

std::string_view stopped_phase(const PhaseInput& input, const Counts& counts) {
  const std::string_view by_exit_codes = counts.stopped == counts.succeeded ? kSucceeded : kFailed;
  const bool keeps_own_rules = input.options.static_pod_rules && is_static(input.pod);
  if (input.pod_is_terminal && !keeps_own_rules) return by_exit_codes;
  if (by_container(input)) {
    return counts.restartable > 0 ? kRunning : by_exit_codes;
  }
  if (input.pod.spec.restartPolicy == "Always") return kRunning;
  if (counts.stopped == counts.succeeded) return kSucceeded;
  return input.pod.spec.restartPolicy == "Never" ? kFailed : kRunning;
}

}  // namespace

std::string_view compute_phase(const PhaseInput& input) {
  const Counts counts = Counter(input).count();
  const int final_failures = by_container(input)                       ? counts.final_failed_init
                             : input.pod.spec.restartPolicy == "Never" ? counts.failed_init
                                                                       : 0;
  if (final_failures > 0) return kFailed;
  if (counts.pending_init > 0 || counts.waiting > 0 ||
      (counts.pending_sidecars > 0 && !input.pod_has_initialized)) {
    return kPending;
  }
  if (counts.running > 0 && counts.unknown == 0) return kRunning;
  if (counts.running == 0 && counts.stopped > 0 && counts.unknown == 0) {
    return stopped_phase(input, counts);
  }
  return kPending;
}

bool has_started_regular_container(const api::Pod& pod, const RuntimePod& runtime) {
  return std::ranges::any_of(runtime.containers, [&](const RuntimeContainer& record) {
    return runtime.in_newest_sandbox(record) && find_container(pod, record.name) != nullptr;
  });
}

}  // namespace berth::lifecycle
