// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_held.hpp"

#include <fmt/format.h>

#include "api/time.hpp"

namespace berth::agent {

std::vector<Finding> examine_held(const DoctorInput& input) {
  const lifecycle::RuntimeSocket socket{.endpoint = input.settings.runtime.endpoint};
  std::vector<Finding> findings;
  for (const lifecycle::HeldPod& held : input.held) {
    const bool store = held.obstacle.kind == lifecycle::ObstacleKind::kFinalPhase;
    findings.emplace_back(
        store ? Severity::kWarning : Severity::kTrouble, "pods",
        held.pod->metadata.namespace_ + "/" + held.pod->metadata.name,
        fmt::format("since {}: {}", api::Time{held.obstacle.since}.whole_seconds().to_string(),
                    lifecycle::obstacle_text(held.obstacle)),
        Advice(lifecycle::obstacle_advice(held, socket)));
  }
  return findings;
}

}  // namespace berth::agent
