// SPDX-License-Identifier: Apache-2.0

// Runs berthctl once in the test's own process, and keeps what it printed.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ctl/run.hpp"

namespace berth::ctl {

struct Ran {
  int exit_code = -1;
  std::string out{};
  std::string err{};
};

inline Ran ran(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran result;
  result.exit_code = run(words);
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

}  // namespace berth::ctl
