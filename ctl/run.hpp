// SPDX-License-Identifier: Apache-2.0

// Runs berthctl: from command line arguments to the exit code.
#pragma once

#include <string>
#include <vector>

namespace berth::ctl {

// Without the program's name.
[[nodiscard]] int run(const std::vector<std::string>& arguments);

}  // namespace berth::ctl
