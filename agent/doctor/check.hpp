// SPDX-License-Identifier: Apache-2.0

// `berthd --check-config` and `berthd --check`: what would keep berthd from running pods here,
// printed for people and scripts. Nothing is started and nothing changed.
#pragma once

#include <vector>

#include "agent/settings/options.hpp"

namespace berth::agent {

// Prints one line per finding, "SEVERITY AREA: SUBJECT: TEXT; ADVICE". Returns 1 if a finding is
// worse than a note, else 0.
[[nodiscard]] int check_machine(const Options& options);

// Reports why berthd does not start: to the journal, if its errors go there, else as lines on
// stderr.
void report_refusal(const std::vector<ConfigProblem>& problems);

// Prints which parts of the configuration have no effect, and "configuration ok".
int check_configuration(const Settings& settings);

}  // namespace berth::agent
