// SPDX-License-Identifier: Apache-2.0

// A pod that is to end is shown with its deletionTimestamp before any of its containers gets a
// signal or runs its preStop hook.
#pragma once

#include <map>
#include <string>

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class DeletionInvariants final : public Check {
 public:
  DeletionInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}

  void published(const lifecycle::PodPtr& pod) override {
    shown_[pod->metadata.uid] = pod->metadata.deletionTimestamp.has_value();
  }
  void removed(const lifecycle::PodPtr& pod) override { shown_.erase(pod->metadata.uid); }
  void agent_restarted() override {
    shown_.clear();
    began_ = clock_.steady_now();
  }

  void terminated(const Instance& instance) override { check(instance); }
  void hook_called(const Instance& instance, HookKind kind, Nanoseconds /*takes*/) override {
    if (kind == HookKind::kPreStop) check(instance);
  }

 private:
  void check(const Instance& instance);

  const Clock& clock_;
  Invariants& invariants_;
  SteadyTime began_{};                   // when this life of berthd began
  std::map<std::string, bool> shown_{};  // by uid: whether as being deleted
};

}  // namespace berth::simulation
