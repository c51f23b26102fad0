// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "tests/integration/processes/hang_guard.hpp"
#include "tests/integration/test_node.hpp"

namespace {

// After that many failures the rest is not run: whatever spoils every test would take hours, each
// waiting for its own limit.
class FailureLimit : public testing::EmptyTestEventListener {
 public:
  explicit FailureLimit(int limit) : left_(limit) {}
  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Failed() && --left_ == 0) GTEST_FLAG_SET(fail_fast, true);
  }

 private:
  int left_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Three times what the longest test takes on a quiet machine with two processors.
  testing::UnitTest::GetInstance()->listeners().Append(
      new berth::integration::HangGuard(std::chrono::minutes(8), std::chrono::minutes(1)));
  testing::UnitTest::GetInstance()->listeners().Append(new FailureLimit(8));
  const int result = RUN_ALL_TESTS();
  berth::integration::Containerd::take_down();
  return result;
}
