// SPDX-License-Identifier: Apache-2.0

#include "agent/service/late_note.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

TEST(LateNote, the_next_berthd_takes_what_the_last_one_left_once) {
  const TemporaryFolder folder;
  const std::string file = folder.path("watchdog");
  EXPECT_EQ(consume_late_note(file), "");
  write_late_note(file, "the main loop has made no progress for 31 s");
  write_late_note(file, "the file pool has made no progress for 121 s");
  EXPECT_EQ(consume_late_note(file), "the file pool has made no progress for 121 s");
  EXPECT_EQ(consume_late_note(file), "");
}

TEST(LateNote, nothing_is_left_of_a_part_that_went_on) {
  const TemporaryFolder folder;
  const std::string file = folder.path("watchdog");
  write_late_note(file, "the main loop has made no progress for 31 s");
  write_late_note(file, "");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(LateNote, a_folder_that_is_gone_is_no_trouble) {
  const TemporaryFolder folder;
  write_late_note(folder.path("gone/watchdog"), "the main loop");
  EXPECT_EQ(consume_late_note(folder.path("gone/watchdog")), "");
}

}  // namespace
}  // namespace berth::agent
