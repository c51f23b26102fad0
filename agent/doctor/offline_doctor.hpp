// SPDX-License-Identifier: Apache-2.0

// The findings of `berthctl doctor` while berthd does not answer, and of `berthd --check`: reads
// the machine, the configuration and the manifest folder and calls the runtime here, with berthd's
// own code.
//
// Blocking; changes nothing. The only part of this folder that berthctl uses.
#pragma once

#include <string>
#include <vector>

#include "agent/doctor/finding.hpp"

namespace berth::agent {

struct OfflineQuestion {
  std::string config_file{};  // empty: the default one, if it exists
  std::string why{};          // why berthd did not answer
};

struct Options;

// The first finding is that berthd does not answer.
[[nodiscard]] std::vector<Finding> examine_offline(const OfflineQuestion& question);

// Whether berthd could start and run pods here, with these options.
[[nodiscard]] std::vector<Finding> examine_before_start(const Options& options);

}  // namespace berth::agent
