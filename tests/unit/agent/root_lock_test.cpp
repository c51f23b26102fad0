// SPDX-License-Identifier: Apache-2.0

#include "agent/root_lock.hpp"

#include <gtest/gtest.h>

#include "temporary_folder.hpp"

namespace berth::agent {
namespace {

TEST(RootLock, one_at_a_time) {
  const TemporaryFolder folder;
  auto first = RootLock::take(folder.path("root"));
  ASSERT_TRUE(first.has_value());
  const auto second = RootLock::take(folder.path("root"));
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kAlreadyExists);
  first->reset();
  EXPECT_TRUE(RootLock::take(folder.path("root")).has_value());
}

}  // namespace
}  // namespace berth::agent
