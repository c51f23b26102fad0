// SPDX-License-Identifier: Apache-2.0

#include "base/descriptor.hpp"

#include <fcntl.h>

#include <gtest/gtest.h>

namespace berth {
namespace {

Descriptor some_file() {
  return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

TEST(DescriptorTest, the_owner_closes_it_once) {
  int number = -1;
  {
    Descriptor first = some_file();
    number = first.get();
    Descriptor second = std::move(first);
    EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move): what is left of it
    EXPECT_EQ(second.get(), number);
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(DescriptorTest, assigning_closes_what_was_there_and_an_assignment_to_itself_does_not) {
  Descriptor file = some_file();
  const int before = file.get();
  Descriptor other = some_file();
  const int after = other.get();
  file = std::move(other);
  EXPECT_FALSE(is_open(before));
  EXPECT_EQ(file.get(), after);
  Descriptor& same = file;
  file = std::move(same);
  EXPECT_TRUE(is_open(after));
}

TEST(DescriptorTest, what_was_released_is_somebody_elses) {
  int number = -1;
  {
    Descriptor file = some_file();
    number = file.release();
    EXPECT_FALSE(file.is_open());
  }
  EXPECT_TRUE(is_open(number));
  const Descriptor closes(number);
}

TEST(DescriptorTest, closing_leaves_errno_as_it_was) {
  {
    const Descriptor none(12'345);  // close fails with EBADF
    errno = ENOSPC;
  }
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace
}  // namespace berth
