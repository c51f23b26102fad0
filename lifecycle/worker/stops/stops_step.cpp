// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/stops/stops_step.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace berth::lifecycle {
namespace {

using std::chrono::seconds;

// The runtime's timeouts are whole seconds: periods that differ by at most a second are the same.
constexpr seconds kWholeSecond{1};

class NextStep {
 public:
  explicit NextStep(const StopsInput& input) : input_(input) {}

  StopsStep decide() {
    for (const ContainerToStop& container : input_.containers)
      if (input_.scope == StopScope::kPod)
        with_its_pod(container);
      else
        alone(container);
    if (input_.scope == StopScope::kPod) in_order();
    return std::move(step_);
  }

 private:
  static const StopPeriod& period_of(const ContainerToStop& container) {
    return container.stop.in_force->period;
  }

  void look_again_at(std::optional<SteadyTime> at) {
    if (at) step_.look_again_at = std::min(step_.look_again_at.value_or(*at), *at);
  }

  // What to do with a container whose call has failed.
  enum class AfterFailure : std::uint8_t { kWaits, kAtOnce, kLeftToSandbox };

  void with_its_pod(const ContainerToStop& container) {
    if (container.state == cri::ContainerState::kCreated) return created(container);
    const AfterFailure next = after_failure(container);
    if (next == AfterFailure::kLeftToSandbox) return step_.left.push_back(container.id);
    if (next == AfterFailure::kAtOnce) step_.retry_at_once.push_back(container.id);
    const bool later = container.retry == StopRetry::kLater && next == AfterFailure::kWaits;
    ids_[container.name].push_back(container.id);
    if (container.stop.calls.one_failed && !later) shorten_again(container);
    add_running(step_.stopping, standing(container, container.stop.calls.under_way() || later));
  }

  // A created container holds up only the sandbox: no container's turn depends on one that does not
  // run. A start whose outcome is unknown may still make it run, and is waited for during its grace
  // period; then stopping the sandbox resolves it.
  void created(const ContainerToStop& container) {
    const SteadyTime until = period_of(container).ends_at();
    if (container.starting && until > input_.now) {
      step_.await_starts.push_back(container.id);
      look_again_at(until);
    }
    if (container.sandbox_known && !container.sandbox_stopped)
      step_.created.push_back(container.id);
  }

  // If StopContainer has failed until the grace period was over, and once more after that, the stop
  // of the sandbox ends the container.
  AfterFailure after_failure(const ContainerToStop& container) {
    const StopCalls& calls = container.stop.calls;
    if (container.retry == StopRetry::kNone || calls.under_way()) return AfterFailure::kWaits;
    const StopPeriod& period = period_of(container);
    const SteadyTime over =
        period.begun_at + seconds(std::max(period.seconds, kShortestStopTimeoutSeconds));
    if (input_.now < over) {
      look_again_at(over);
      return AfterFailure::kWaits;
    }
    if (!calls.last_sent || *calls.last_sent < over) return AfterFailure::kAtOnce;
    return container.sandbox_known ? AfterFailure::kLeftToSandbox : AfterFailure::kWaits;
  }

  void shorten_again(const ContainerToStop& container) {
    const StopPeriod& period = period_of(container);
    const std::int64_t timeout =
        stop_timeout_seconds(period.seconds, input_.now - period.begun_at, Nanoseconds::zero());
    const SteadyTime kill_at = input_.now + seconds(timeout) + kWholeSecond;
    if (*container.stop.calls.kill_at.begin() > kill_at)
      step_.shorten_again.push_back(
          {.call = {.id = container.id, .name = container.name, .timeout_seconds = timeout},
           .kill_at = kill_at});
  }

  [[nodiscard]] StoppingContainer standing(const ContainerToStop& container, bool signalled) {
    const StopPeriod& period = period_of(container);
    return {.name = container.name,
            .grace_seconds = period.seconds,
            .begun_at = period.begun_at,
            .hook_done_at = signalled ? period.begun_at : hook_done(container),
            .signalled = signalled};
  }

  // When the stop was done with the preStop hook; unset if the hook runs, or begins now.
  std::optional<SteadyTime> hook_done(const ContainerToStop& container) {
    const PreStopSituation situation{
        .has_hook = container.has_pre_stop,
        .leaves_time = container.grace.run_pre_stop,
        .container_runs = container.state == cri::ContainerState::kRunning,
        .begun_before = container.stop.in_force->stored.pre_stop,
        .known = container.stop.pre_stop,
        .stop_began = period_of(container).begun_at};
    const PreStopStep step = pre_stop_step(situation, input_.now);
    step_.pre_stops.push_back({.id = container.id,
                               .question = {.pod = *input_.pod,
                                            .container = container.name,
                                            .situation = situation,
                                            .now = input_.now},
                               .step = step});
    if (step.begin) step_.begin_hooks.push_back(container.id);
    return step.done_at;
  }

  void in_order() {
    step_.order = next_stops(input_.pod, step_.stopping, input_.now);
    look_again_at(step_.order.look_again_at);
    for (const std::string& name : step_.order.give_up_hook)
      std::ranges::copy(ids_[name], std::back_inserter(step_.give_up_hooks));
    for (const StopNow& stop : step_.order.stop_now)
      for (const std::string& id : ids_[stop.name])
        step_.calls.push_back(
            {.id = id, .name = stop.name, .timeout_seconds = stop.timeout_seconds});
  }

  void alone(const ContainerToStop& container) {
    SingleStopQuestion question{.pod = *input_.pod,
                                .kill = *container.stop.single,
                                .stop = standing(container, false),
                                .now = input_.now};
    TerminationStep next = decide_single_stop(question);
    look_again_at(next.look_again_at);
    if (!next.give_up_hook.empty()) step_.give_up_hooks.push_back(container.id);
    for (const StopNow& stop : next.stop_now)
      step_.calls.push_back(
          {.id = container.id, .name = container.name, .timeout_seconds = stop.timeout_seconds});
    step_.singles.push_back({.question = std::move(question), .step = std::move(next)});
  }

  const StopsInput& input_;
  StopsStep step_{};
  std::map<std::string, std::vector<std::string>> ids_{};  // of running containers, by name
};

}  // namespace

StopsStep next_stops_step(const StopsInput& input) {
  return NextStep(input).decide();
}

}  // namespace berth::lifecycle
