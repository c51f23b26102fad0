// SPDX-License-Identifier: Apache-2.0

// berthctl shutdown-plan [-o json|yaml]
#pragma once

namespace CLI {
class App;
}

namespace berth::ctl {

struct CommandLine;

void add_shutdown_plan(CLI::App& app, CommandLine& line);

}  // namespace berth::ctl
