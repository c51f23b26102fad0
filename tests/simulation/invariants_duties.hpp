// SPDX-License-Identifier: Apache-2.0

// What berthd has to do within a time where nothing disturbs it: what fails its liveness or startup
// probe often enough is stopped, and so is what its postStart hook fails for.
//
// Pure of guesses about berthd's reasons: a duty is over when the container is told to stop, has
// ended, or its pod is to end. What waits for another stop or hook of its pod has its time anew.
#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "tests/simulation/check.hpp"
#include "tests/simulation/duties.hpp"
#include "tests/simulation/invariants.hpp"

namespace berth::simulation {

class DutyInvariants final : public Check {
 public:
  DutyInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }

  // Its probe of that type has failed as often as it may.
  void probe_failed(const Instance& instance, const std::string& type);

  void started(const Instance& instance) override;
  void hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) override;
  void stop_called(const Instance& instance, std::chrono::seconds timeout) override;
  void exited(const Instance& instance) override;
  void agent_restarted() override { here_since_ = clock_.steady_now(); }
  void agent_ends() override {
    duties_.forget_all();
    here_since_.reset();
  }
  void time_passes() override;

 private:
  void owe_stop(const Instance& instance, SteadyTime from, std::string why);
  [[nodiscard]] const Instance* find(const std::string& id) const;
  [[nodiscard]] bool excused(const Instance& instance, SteadyTime since) const;
  [[nodiscard]] bool pod_was_busy(const Instance& instance, SteadyTime since) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  std::optional<SteadyTime> here_since_{};  // berthd; none: it is away, or stops
  Duties duties_{};
};

}  // namespace berth::simulation
