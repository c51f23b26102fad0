// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/process.hpp"

#include <gtest/gtest.h>

namespace berth::integration {
namespace {

TEST(Process, input_beyond_a_pipe_reaches_a_child_that_answers_as_it_reads) {
  const std::string input(4 << 20, 'x');
  const Finished copied = run({"cat"}, input, std::chrono::seconds(20));
  EXPECT_EQ(copied.exit_code, 0);
  EXPECT_EQ(copied.out.size(), input.size());
}

TEST(Process, a_child_that_reads_nothing_may_end_all_the_same) {
  const Finished ended = run({"sh", "-c", "exit 7"}, std::string(4 << 20, 'x'));
  EXPECT_EQ(ended.exit_code, 7);
}

TEST(Process, a_child_that_exceeds_the_limit_is_killed) {
  const Finished killed = run({"sleep", "60"}, {}, std::chrono::seconds(1));
  EXPECT_EQ(killed.exit_code, -1);
}

}  // namespace
}  // namespace berth::integration
