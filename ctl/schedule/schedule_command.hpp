// SPDX-License-Identifier: Apache-2.0

// The command line of `schedule`.
#pragma once

#include "ctl/command_line.hpp"

namespace berth::ctl {

void add_schedule(CLI::App& app, CommandLine& line);

}  // namespace berth::ctl
