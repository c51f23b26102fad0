// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/atomic_writer.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <regex>

#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

using namespace std::chrono_literals;

const WallTime kNow{1'700'000'000s};  // 2023-11-14 22:13:20 UTC

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

std::string link_of(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::read_symlink(path, ignored).string();
}

class AtomicWriter : public testing::Test {
 protected:
  bool write(const Payload& payload, std::optional<std::int64_t> group = std::nullopt) {
    const auto written = write_payload(top_.path(), payload, group, kNow);
    EXPECT_TRUE(written) << (written ? "" : written.error().message);
    return written && *written;
  }
  std::vector<std::string> names() { return *list_directory(top_.path()); }

  TemporaryDirectory top_;
  TemporaryDirectory outside_;
};

TEST_F(AtomicWriter, shows_files_through_one_link) {
  EXPECT_TRUE(write({{"a", {.data = "1", .mode = 0400}}, {"dir/sub/b", {.data = "2"}}}));
  const auto data = link_of(top_ / "..data");
  EXPECT_TRUE(std::regex_match(data, std::regex(R"(\.\.2023_11_14_22_13_20\.\d+)"))) << data;
  EXPECT_EQ(link_of(top_ / "a"), "..data/a");
  EXPECT_EQ(link_of(top_ / "dir"), "..data/dir");
  EXPECT_EQ(*read_file(top_ / "a"), "1");
  EXPECT_EQ(*read_file(top_ / "dir/sub/b"), "2");
  EXPECT_EQ(mode_of(top_ / "a"), 0400);
  EXPECT_EQ(mode_of(top_ / "dir/sub/b"), 0644);
  EXPECT_EQ(mode_of(top_ / "dir/sub"), 0755);
  EXPECT_EQ(mode_of(top_ / data), 0755);
}

TEST_F(AtomicWriter, writes_nothing_where_nothing_changed) {
  const Payload payload = {{"a", {.data = "1"}}};
  EXPECT_TRUE(write(payload));
  const auto data = link_of(top_ / "..data");
  EXPECT_FALSE(write(payload));
  EXPECT_FALSE(write({{"a", {.data = "1", .mode = 0400}}})) << "the kubelet passes over modes";
  EXPECT_EQ(link_of(top_ / "..data"), data);
}

// A container with access to the folder can replace what is there.
TEST_F(AtomicWriter, reads_no_link_in_the_place_of_its_file_and_no_more_than_it_wrote) {
  const Payload payload = {{"a", {.data = "1"}}, {"dir/b", {.data = "2"}}};
  EXPECT_TRUE(write(payload));
  std::filesystem::remove(top_ / "..data/a");
  std::filesystem::create_symlink("/dev/zero", top_ / "..data/a");
  EXPECT_TRUE(write(payload)) << "it is written again";
  EXPECT_EQ(*read_file(top_ / "a"), "1");
  std::filesystem::resize_file(top_ / "..data/dir/b", std::uintmax_t{1} << 40);
  EXPECT_TRUE(write(payload));
  EXPECT_EQ(*read_file(top_ / "dir/b"), "2");
}

TEST_F(AtomicWriter, takes_nothing_behind_a_link_for_its_own) {
  const Payload payload = {{"a", {.data = "1"}}, {"dir/b", {.data = "2"}}};
  EXPECT_TRUE(write(payload));
  put_file(outside_ / "/dir/b", "2");
  std::filesystem::remove_all(top_ / "..data/dir");
  std::filesystem::create_directory_symlink(outside_ / "/dir", top_ / "..data/dir");
  EXPECT_TRUE(write(payload)) << "the folder of a file is a link";
  put_file(outside_ / "/a", "1");
  std::filesystem::remove(top_ / "..data");
  std::filesystem::create_directory_symlink(outside_.path(), top_ / "..elsewhere");
  std::filesystem::create_symlink("..elsewhere", top_ / "..data");
  EXPECT_TRUE(write(payload)) << "the folder of all files is a link";
  EXPECT_FALSE(std::filesystem::is_symlink(top_ / link_of(top_ / "..data")));
  EXPECT_EQ(*list_directory(outside_.path()), (std::vector<std::string>{"a", "dir"}));
  EXPECT_EQ(*list_directory(outside_ / "/dir"), std::vector<std::string>{"b"});
}

// The name may be a link to elsewhere by the time of the second file.
TEST_F(AtomicWriter, writes_into_the_folder_that_it_holds_wherever_its_name_leads) {
  std::filesystem::create_directory(top_ / "fresh");
  const auto folder = OwnFolder::open(top_.path(), top_ / "fresh");
  ASSERT_TRUE(folder);
  std::filesystem::rename(top_ / "fresh", top_ / "moved");
  std::filesystem::create_directory_symlink(outside_.path(), top_ / "fresh");
  ASSERT_TRUE(write_files(*folder, {{"a", {.data = "1"}}, {"dir/sub/b", {.data = "2"}}}));
  EXPECT_EQ(*read_file(top_ / "moved/a"), "1");
  EXPECT_EQ(*read_file(top_ / "moved/dir/sub/b"), "2");
  std::filesystem::create_directory_symlink(outside_.path(), top_ / "moved/link");
  const auto through = write_files(*folder, {{"link/c", {.data = "3"}}});
  ASSERT_FALSE(through);
  EXPECT_EQ(through.error().message,
            (top_ / "moved/link") + ": a link is in its way, which is not followed");
  EXPECT_TRUE(list_directory(outside_.path())->empty());
}

TEST_F(AtomicWriter, changes_everything_at_once_and_leaves_nothing_behind) {
  EXPECT_TRUE(write({{"a", {.data = "1"}}, {"gone", {.data = "x"}}, {"old/file", {.data = "x"}}}));
  const auto before = link_of(top_ / "..data");
  EXPECT_TRUE(write({{"a", {.data = "2"}}, {"new", {.data = "y"}}}));
  const auto after = link_of(top_ / "..data");
  EXPECT_NE(after, before);
  EXPECT_EQ(names(), (std::vector<std::string>{after, "..data", "a", "new"}));
  EXPECT_EQ(*read_file(top_ / "a"), "2");
  EXPECT_TRUE(write({{"a", {.data = "2"}}})) << "a file less is a change";
  EXPECT_TRUE(write({}));
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(AtomicWriter, goes_on_where_a_crash_left_off) {
  EXPECT_TRUE(write({{"a", {.data = "1"}}}));
  put_file(top_ / "..2023_01_01_00_00_00.1/a", "half");
  std::filesystem::create_symlink("..2023_01_01_00_00_00.1", top_ / "..data_tmp");
  std::filesystem::remove(top_ / "a");  // as if it had crashed before the links were made
  EXPECT_FALSE(write({{"a", {.data = "1"}}}));
  EXPECT_EQ(*read_file(top_ / "a"), "1");
  EXPECT_EQ(names().size(), 3U);
  // The machine crashed before the file's contents reached the disk.
  ASSERT_TRUE(write_file(top_ / (link_of(top_ / "..data") + "/a"), "", 0644));
  EXPECT_TRUE(write({{"a", {.data = "1"}}}));
  EXPECT_EQ(*read_file(top_ / "a"), "1");
}

// Otherwise each attempt would be another event and another record.
TEST_F(AtomicWriter, fails_alike_in_the_same_words) {
  const Payload impossible = {{"a", {.data = "1"}}, {"a/b", {.data = "2"}}};
  const auto first = write_payload(top_.path(), impossible, std::nullopt, kNow);
  const auto second = write_payload(top_.path(), impossible, std::nullopt, kNow + 1s);
  ASSERT_FALSE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(first.error(), second.error());
  EXPECT_NE(first.error().message.find(top_ / "a"), std::string::npos) << first.error().message;
}

TEST_F(AtomicWriter, keeps_what_is_not_its_own) {
  put_file(top_ / "nested/mount", "x");
  EXPECT_TRUE(write({{"a", {.data = "1"}}}));
  EXPECT_TRUE(write({{"b", {.data = "1"}}}));
  EXPECT_EQ(*read_file(top_ / "nested/mount"), "x");
}

TEST_F(AtomicWriter, gives_files_to_the_group_before_they_are_seen) {
  EXPECT_TRUE(write({{"d/a", {.data = "1", .mode = 0400}}, {"b", {.data = "2", .mode = 0644}}}, 7));
  EXPECT_EQ(mode_of(top_ / "d/a"), 0440);
  EXPECT_EQ(mode_of(top_ / "b"), 0644);
  EXPECT_EQ(mode_of(top_ / "d"), 02755);
  struct stat status {};
  ASSERT_EQ(::stat((top_ / "d/a").c_str(), &status), 0);
  EXPECT_EQ(status.st_gid, 7U);
}

}  // namespace
}  // namespace berth::node
