// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/integration/hang_guard.hpp"
#include "tests/integration/test_node.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Three times what the longest test takes on a quiet machine with two processors.
  testing::UnitTest::GetInstance()->listeners().Append(
      new berth::integration::HangGuard(std::chrono::minutes(8), std::chrono::minutes(1)));
  const int result = RUN_ALL_TESTS();
  berth::integration::Containerd::take_down();
  return result;
}
