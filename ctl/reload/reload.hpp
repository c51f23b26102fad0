// SPDX-License-Identifier: Apache-2.0

// berthctl reload [-q] [-o json|yaml]: berthd reads its configuration again, all or nothing.
#pragma once

namespace CLI {
class App;
}

namespace berth::ctl {

struct CommandLine;

void add_reload(CLI::App& app, CommandLine& line);

}  // namespace berth::ctl
