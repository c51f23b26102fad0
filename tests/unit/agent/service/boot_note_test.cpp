// SPDX-License-Identifier: Apache-2.0

#include "agent/service/boot_note.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

TEST(BootNote, another_boot_is_noticed_once) {
  const TemporaryFolder folder;
  const std::string file = folder.path("boot-id");
  EXPECT_FALSE(note_boot(file, "one")) << "the first start of all is no reboot";
  EXPECT_FALSE(note_boot(file, "one"));
  EXPECT_TRUE(note_boot(file, "two"));
  EXPECT_FALSE(note_boot(file, "two"));
}

TEST(BootNote, a_machine_without_a_boot_id_forgets_nothing) {
  const TemporaryFolder folder;
  const std::string file = folder.path("boot-id");
  EXPECT_FALSE(note_boot(file, ""));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(note_boot(file, "one"));
  EXPECT_FALSE(note_boot(file, ""));
  EXPECT_TRUE(note_boot(file, "two"));
}

TEST(BootNote, what_could_not_be_noted_is_noticed_again) {
  const TemporaryFolder folder;
  const std::string file = folder.path("boot-id");
  EXPECT_FALSE(note_boot(file, "one"));
  std::filesystem::create_directory(folder.path(".new"));
  EXPECT_TRUE(note_boot(file, "two"));
  EXPECT_TRUE(note_boot(file, "two"));
  std::filesystem::remove(folder.path(".new"));
  EXPECT_TRUE(note_boot(file, "two"));
  EXPECT_FALSE(note_boot(file, "two"));
}

TEST(BootNote, a_file_that_cannot_be_written_is_no_trouble) {
  const TemporaryFolder folder;
  EXPECT_FALSE(note_boot(folder.path("gone/boot-id"), "one"));
  std::filesystem::create_directory(folder.path("boot-id"));
  EXPECT_FALSE(note_boot(folder.path("boot-id"), "one"));
}

}  // namespace
}  // namespace berth::agent
