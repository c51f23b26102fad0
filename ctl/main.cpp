// SPDX-License-Identifier: Apache-2.0

// berthctl: the operator's tool. command_line.cpp has its options, each command is in the file of
// its name.
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "ctl/exit_code.hpp"
#include "ctl/run.hpp"

int main(int argc, char** argv) {
  try {
    return berth::ctl::run({argv + 1, argv + argc});
  } catch (const std::exception& bug) {
    std::fputs(fmt::format("error: unexpected: {}\n", bug.what()).c_str(), stderr);
    return berth::ctl::kFailed;
  }
}
