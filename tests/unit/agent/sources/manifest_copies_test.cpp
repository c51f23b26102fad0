// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_copies.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "agent/sources/folder_reader.hpp"
#include "node/path_segment.hpp"
#include "node/volumes/mounts.hpp"
#include "tests/unit/agent/sources/folder_texts.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

using Texts = std::map<std::string, std::string>;

class ManifestCopies : public testing::Test {
 protected:
  [[nodiscard]] CopyFolders folders() const {
    return {.on_disk = folder_.path("copies"), .in_memory = folder_.path("secrets")};
  }
  [[nodiscard]] Copies write(const LastGoodTexts& there, const Texts& wanted) const {
    return write_copies(folders(), there, {.on_disk = wanted});
  }
  [[nodiscard]] Texts on_disk() const { return read_copies(folders()).there.on_disk; }
  [[nodiscard]] std::string path(const std::string& copy) const {
    return folder_.path("copies/" + copy);
  }
  [[nodiscard]] Texts files() const {
    Texts found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path("copies"))) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      found[entry.path().filename().string()] = std::string(std::istreambuf_iterator(file), {});
    }
    return found;
  }
  // As an earlier berthd did it, or anybody else.
  void place(const std::string& copy, const std::string& text) const {
    std::filesystem::create_directories(folder_.path("copies"));
    folder_.write("copies/" + copy, text);
  }

  TemporaryFolder folder_{};
};

TEST_F(ManifestCopies, are_exactly_what_was_given) {
  const Copies first = write({}, {{"a.yaml", "1"}, {"b.yaml", "2"}, {"c.yaml", "4"}});
  EXPECT_TRUE(first.failures.empty());
  const Copies second = write(first.there, {{"b.yaml", "3"}});
  EXPECT_EQ(second.there.on_disk, (Texts{{"b.yaml", "3"}}));
  EXPECT_EQ(files(), (Texts{{"b.yaml", "3"}}));
  EXPECT_EQ(on_disk(), (Texts{{"b.yaml", "3"}}));
  struct stat status {};
  ASSERT_EQ(stat(path("b.yaml").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(ManifestCopies, that_are_current_are_left_alone) {
  const Copies first = write({}, {{"a.yaml", "1"}, {"b.yaml", "2"}});
  place("a.yaml", "not written again");
  static_cast<void>(write(first.there, {{"a.yaml", "1"}, {"b.yaml", "3"}}));
  EXPECT_EQ(files(), (Texts{{"a.yaml", "not written again"}, {"b.yaml", "3"}}));
}

TEST_F(ManifestCopies, may_be_of_any_name_that_a_manifest_may_have) {
  std::string bytes;
  for (int i = 0; i < 70; ++i) bytes += "\\xff";
  const Texts texts = {{bytes + ".yaml", "1"},
                       {bytes + "b.yaml", "2"},
                       {"a b.yaml", "3"},
                       {"a\nb\\n.yaml", "4"},
                       {"caf\xc3\xa9.yaml", "5\n6"},
                       {std::string(250, 'a') + ".yaml", "7"},
                       {"plain-1_2.web.yaml", "8\n"},
                       {"a%20b.yaml", ""}};
  ASSERT_GT((bytes + ".yaml").size(), node::kLongestFileName);
  const Copies written = write({}, texts);
  EXPECT_TRUE(written.failures.empty());
  EXPECT_EQ(on_disk(), texts);
  EXPECT_TRUE(files().contains("plain-1_2.web.yaml")) << "as an earlier berthd reads it";
  EXPECT_TRUE(files().contains(std::string(250, 'a') + ".yaml"));
  EXPECT_TRUE(write(written.there, {}).there.on_disk.empty());
  EXPECT_TRUE(files().empty());
}

TEST_F(ManifestCopies, of_an_earlier_berthd_are_read_and_replaced) {
  const Texts earlier = {{"a b.yaml", "1"}, {"plain.yaml", "2"}};
  for (const auto& [name, text] : earlier) place(name, text);
  const Copies found = read_copies(folders());
  EXPECT_EQ(found.there.on_disk, earlier);
  static_cast<void>(write(found.there, {{"a b.yaml", "3"}, {"plain.yaml", "2"}}));
  EXPECT_EQ(on_disk(), (Texts{{"a b.yaml", "3"}, {"plain.yaml", "2"}}));
  EXPECT_EQ(files().size(), 2U) << "nothing of the earlier text is left";
  static_cast<void>(write({.on_disk = on_disk()}, {{"plain.yaml", "2"}}));
  EXPECT_EQ(files(), (Texts{{"plain.yaml", "2"}}));
}

TEST_F(ManifestCopies, one_that_fails_is_tried_again_alone_and_is_new_only_once) {
  const Texts wanted = {{"a.yaml", "1"}, {"b.yaml", "2"}, {"c.yaml", "3"}};
  std::filesystem::create_directories(path("b.yaml/in it"));
  const Copies first = write({}, wanted);
  EXPECT_EQ(first.there.on_disk, (Texts{{"a.yaml", "1"}, {"c.yaml", "3"}}));
  ASSERT_EQ(first.failures.size(), 1U);
  EXPECT_EQ(first.failures[0].file, "b.yaml");
  EXPECT_EQ(new_failures({}, first).size(), 1U);
  place("a.yaml", "not written again");
  const Copies second = write(first.there, wanted);
  EXPECT_EQ(second.there, first.there);
  EXPECT_EQ(files().at("a.yaml"), "not written again");
  EXPECT_TRUE(new_failures(first, second).empty());
  const Copies edited = write(second.there, {{"a.yaml", "1"}, {"b.yaml", "4"}, {"c.yaml", "3"}});
  EXPECT_EQ(new_failures(second, edited).size(), 1U) << "another text";
  std::filesystem::remove_all(path("b.yaml"));
  const Copies third = write(second.there, wanted);
  EXPECT_TRUE(third.failures.empty());
  EXPECT_EQ(third.there.on_disk, wanted);
}

TEST_F(ManifestCopies, a_folder_that_cannot_be_made_is_one_failure) {
  folder_.write("copies", "no folder");
  const Copies first = write({}, {{"a.yaml", "1"}, {"b.yaml", "2"}});
  EXPECT_TRUE(first.there.on_disk.empty());
  ASSERT_EQ(first.failures.size(), 1U);
  EXPECT_EQ(first.failures[0].folder, folders().on_disk);
}

TEST_F(ManifestCopies, a_pipe_where_one_is_written_holds_nobody) {
  std::filesystem::create_directories(path(""));
  ASSERT_EQ(::mkfifo(path(".new").c_str(), 0600), 0);
  EXPECT_TRUE(write({}, {{"a.yaml", "1"}}).failures.empty());
  EXPECT_EQ(on_disk(), (Texts{{"a.yaml", "1"}}));
}

TEST_F(ManifestCopies, of_secrets_are_on_no_disk_and_leave_no_mount) {
  const LastGoodTexts secret{.in_memory = {{"a b.yaml", "1"}}};
  const Copies first = write_copies(folders(), {}, secret);
  if (!first.failures.empty() && !node::is_mount_point(folders().in_memory))
    GTEST_SKIP() << "needs to mount: " << first.failures[0].why;
  EXPECT_TRUE(node::is_on_tmpfs(folders().in_memory));
  struct stat status {};
  ASSERT_EQ(stat(folders().in_memory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  EXPECT_EQ(read_copies(folders()).there, secret);
  const Copies none = write_copies(folders(), first.there, {});
  EXPECT_TRUE(none.failures.empty());
  EXPECT_EQ(none.there, LastGoodTexts{});
  EXPECT_FALSE(std::filesystem::exists(folders().in_memory));
}

}  // namespace
}  // namespace berth::agent
