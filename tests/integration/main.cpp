// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/integration/test_node.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  berth::integration::Containerd::take_down();
  return result;
}
