// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/termination_order.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

// Decides about one container at this instant.
class StopDecision {
 public:
  StopDecision(TerminationStep& step, const StoppingContainer& container, SteadyTime now)
      : step_(step), container_(container), now_(now) {}

  // `waits_for`: the containers that must have ended before it.
  void decide(const std::set<std::string>& waits_for) {
    const std::int64_t grace = container_.grace_seconds;
    if (!container_.hook_done_at) {
      const SteadyTime deadline = container_.begun_at + std::chrono::seconds{grace};
      if (now_ < deadline) return look_again_at(deadline);
      step_.give_up_hook.push_back(container_.name);
      return stop(0, Nanoseconds{0}, "HookGivenUp", "its preStop hook used up the grace period");
    }
    const Nanoseconds hook_took = *container_.hook_done_at - container_.begun_at;
    const std::int64_t left = grace - std::chrono::floor<std::chrono::seconds>(hook_took).count();
    // If the hook was done after `now` was read, no time has been spent waiting.
    const Nanoseconds waited =
        std::max<Nanoseconds>(now_ - *container_.hook_done_at, Nanoseconds{0});
    if (left > 0 && !waits_for.empty()) {
      const SteadyTime deadline = *container_.hook_done_at + std::chrono::seconds{left};
      if (now_ < deadline) return look_again_at(deadline);
      return stop(left, waited, "OrderGivenUp",
                  "it waited its whole grace period for " + *waits_for.begin());
    }
    stop(left, left > 0 ? waited : Nanoseconds{0}, std::string(kStopRule),
         "its turn to stop has come");
  }

 private:
  void stop(std::int64_t left, Nanoseconds waited, std::string rule, std::string text) {
    step_.stop_now.push_back(
        StopNow{.name = container_.name,
                .timeout_seconds = stop_timeout_seconds(left, Nanoseconds{0}, waited)});
    step_.reasons.push_back(
        Reason{.subject = container_.name, .rule = std::move(rule), .text = std::move(text)});
  }

  void look_again_at(SteadyTime at) {
    step_.look_again_at = step_.look_again_at ? std::min(*step_.look_again_at, at) : at;
  }

  TerminationStep& step_;
  const StoppingContainer& container_;
  SteadyTime now_;
};

}  // namespace

TerminationOrder termination_order(const api::Pod& pod, const std::vector<std::string>& running) {
  TerminationOrder order;
  for (const std::string& name : running) order.waits_for[name];
  const auto& inits = pod.spec.initContainers;
  order.ordered = std::ranges::any_of(inits, is_sidecar);
  if (!order.ordered) return order;

  const auto is_running = [&](const std::string& name) { return order.waits_for.contains(name); };
  std::set<std::string> regular;
  for (const api::Container& container : pod.spec.containers) {
    if (is_running(container.name)) regular.insert(container.name);
  }
  // From the last sidecar to the first. Each waits only for the next one, which in turn waits for
  // the one after it.
  const std::string* next = nullptr;
  for (auto sidecar = inits.rbegin(); sidecar != inits.rend(); ++sidecar) {
    if (!is_sidecar(*sidecar)) continue;
    if (is_running(sidecar->name)) {
      std::set<std::string>& waits_for = order.waits_for[sidecar->name];
      waits_for = regular;
      if (next != nullptr && is_running(*next)) waits_for.insert(*next);
    }
    next = &sidecar->name;
  }
  return order;
}

void add_running(std::vector<StoppingContainer>& containers, StoppingContainer one) {
  const auto same = std::ranges::find(containers, one.name, &StoppingContainer::name);
  if (same == containers.end()) {
    containers.push_back(std::move(one));
  } else if (same->signalled) {
    *same = std::move(one);
  }
}

TerminationStep next_stops(const api::Pod& pod, const std::vector<StoppingContainer>& containers,
                           SteadyTime now) {
  std::vector<std::string> running;
  for (const StoppingContainer& container : containers) running.push_back(container.name);
  const TerminationOrder order = termination_order(pod, running);

  TerminationStep step;
  for (const StoppingContainer& container : containers) {
    if (container.signalled) continue;
    const auto waits_for = order.waits_for.find(container.name);
    StopDecision(step, container, now)
        .decide(order.ordered && waits_for != order.waits_for.end() ? waits_for->second
                                                                    : std::set<std::string>{});
  }
  return step;
}

TerminationStep decide_stops(const StopsQuestion& question) {
  return next_stops(question.pod, question.containers, question.now);
}

}  // namespace berth::lifecycle
