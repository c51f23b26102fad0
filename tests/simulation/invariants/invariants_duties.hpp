// SPDX-License-Identifier: Apache-2.0

// What berthd has to do within a time while nothing disturbs it: stop a container that fails its
// liveness or startup probe often enough, or whose postStart hook fails.
//
// Makes no guesses about berthd's reasons: a duty is over when the container is asked to stop, has
// ended, or its pod is to end. The time of a duty starts anew while it waits for another stop or
// hook of its pod.
#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/duties.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class DutyInvariants final : public Check {
 public:
  DutyInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }

  // Its probe of that type has reached its failureThreshold.
  void probe_failed(const Instance& instance, const std::string& type);

  void started(const Instance& instance) override;
  void hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) override;
  void stop_called(const Instance& instance, std::chrono::seconds timeout) override;
  void exited(const Instance& instance) override;
  void agent_restarted() override;
  void agent_ends() override {
    duties_.forget_all();
    here_since_.reset();
  }
  void time_passes() override;

 private:
  // Null if its pod is unknown or has none.
  [[nodiscard]] const api::Lifecycle* hooks_of(const Instance& instance) const;
  void owe_stop(const Instance& instance, SteadyTime from, std::string why);
  [[nodiscard]] const Instance* find(const std::string& id) const;
  [[nodiscard]] bool excused(const Instance& instance, SteadyTime since) const;
  [[nodiscard]] bool pod_was_busy(const Instance& instance, SteadyTime since) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  std::optional<SteadyTime> here_since_{};  // berthd; unset while it is away or stops
  Duties duties_{};
};

}  // namespace berth::simulation
