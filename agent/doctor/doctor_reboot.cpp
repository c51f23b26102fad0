// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_reboot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth::agent {
namespace {

Finding of_secret(const SecretAtRisk& risk) {
  const Advice mend("correct the file: berthd reads it again as soon as it is saved");
  if (risk.state == SecretState::kMissing)
    return {Severity::kTrouble, "manifests", risk.file,
            fmt::format("{} needs Secret {}, which is not there: the file is broken, and Secrets "
                        "of its last good version do not survive a reboot",
                        fmt::join(risk.pods, ", "), risk.secret),
            mend};
  std::string who = "no pod needs it now";
  if (!risk.pods.empty())
    who = fmt::format("{} could not be started again then", fmt::join(risk.pods, ", "));
  return {Severity::kWarning, "manifests", risk.file,
          fmt::format("a reboot would lose Secret {}: the file is broken, and berthd keeps the "
                      "Secrets of its last good version in memory only; {}",
                      risk.secret, who),
          mend};
}

}  // namespace

std::vector<Finding> examine_reboot(const ManifestReport& manifests) {
  std::vector<Finding> findings;
  for (const SecretAtRisk& risk : manifests.secrets_at_risk) findings.push_back(of_secret(risk));
  return findings;
}

}  // namespace berth::agent
