// SPDX-License-Identifier: Apache-2.0

// The parts of a plan's input as values that a test changes. Plain values.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "lifecycle/plan.hpp"

namespace berth::ledger_test {

struct PlanParts {
  api::Pod pod{};
  lifecycle::RuntimePod runtime{};
  lifecycle::ProbeResults probes{};
  lifecycle::ActuatedResources actuated{};
  lifecycle::RestartBackoff restarts{};
  lifecycle::ImagePullBackoff pulls{};
  std::set<std::string> present_images{};
  std::optional<api::Time> start_time{};
  WallTime now{};
  lifecycle::FeatureOptions options{};

  // Refers to this object.
  [[nodiscard]] lifecycle::PlanInput input() const {
    return {.pod = pod,
            .runtime = runtime,
            .probes = probes,
            .actuated = actuated,
            .restarts = restarts,
            .pulls = pulls,
            .present_images = present_images,
            .start_time = start_time,
            .now = now,
            .options = options};
  }
};

}  // namespace berth::ledger_test
