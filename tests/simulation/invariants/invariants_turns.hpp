// SPDX-License-Identifier: Apache-2.0

// Pods that are begun together request their first sandboxes by priority, then by name. A pod that
// had to wait for something (volumes, room, another pod of its name) may be late.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class TurnInvariants final : public Check {
 public:
  TurnInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }

  // These are what a berthd that has begun finds in the manifests.
  void desired_first(const std::vector<lifecycle::PodPtr>& pods);
  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override;
  void sandbox_called(const cri::PodSandboxConfig& config) override;

 private:
  [[nodiscard]] bool may_wait(const api::Pod& pod) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  // Uids of pods that were wanted when this berthd began, and of which nothing existed; and those
  // of them whose sandbox was requested since.
  std::set<std::string> begun_together_{};
  std::vector<lifecycle::PodPtr> asked_together_{};
};

}  // namespace berth::simulation
