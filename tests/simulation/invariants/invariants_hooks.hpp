// SPDX-License-Identifier: Apache-2.0

// What must be true of hooks, whatever happens: preStop runs once per stop, before TERM, and is
// waited for as long as the grace period lasts; postStart runs once, before the container is shown
// running and before any other container of its pod is started.
#pragma once

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class HookInvariants final : public Check {
 public:
  HookInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime, const SimulatedStore& store) {
    runtime_ = &runtime;
    store_ = &store;
  }

  void published(const lifecycle::PodPtr& pod) override;
  void hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) override;
  void start_called(const Instance& instance) override;
  void terminated(const Instance& instance) override;

 private:
  [[nodiscard]] bool watched_undisturbed(const Instance& instance) const;
  void check_pre_stop(const Instance& instance);
  void check_post_start_awaited(const Instance& stopped);

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  const SimulatedStore* store_ = nullptr;
};

}  // namespace berth::simulation
