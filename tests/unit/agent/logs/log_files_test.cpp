// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_files.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "agent/logs/log_compression.hpp"
#include "agent/logs/log_file.hpp"
#include "tests/unit/agent/logs/rotated.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream input(path);
  std::stringstream text;
  text << input.rdbuf();
  return text.str();
}

std::string decompressed(const std::filesystem::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string text(1000, '\0');
  const int size = gzread(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return text;
}

std::set<std::string> names(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(LogFile, a_pipe_or_a_link_in_its_place_is_not_opened) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() + "/0.log").c_str(), 0600), 0);
  const auto piped = LogFile::open(folder.path() + "/0.log");
  ASSERT_FALSE(piped.has_value());
  EXPECT_NE(piped.error().message.find("it is not a regular file"), std::string::npos);
  EXPECT_FALSE(LogCompression::begin(folder.path() + "/0.log").has_value());
  std::filesystem::create_symlink("/etc/hostname", folder.path() + "/1.log");
  EXPECT_FALSE(LogFile::open(folder.path() + "/1.log").has_value());
}

TEST(LogFiles, three_rotations_leave_the_newest_readable_and_the_older_compressed) {
  const TemporaryFolder folder;
  const node::LogRotationPolicy policy{.max_files = 3};
  for (const char* round : {"1", "2", "3"}) {
    folder.write("0.log", std::string("round ") + round + "\n");
    ASSERT_EQ(chmod(folder.path("0.log").c_str(), 0640), 0);
    const auto renamed = rotated(folder.path(), "0.log", policy, std::string("2026-") + round);
    ASSERT_TRUE(renamed) << renamed.error().message;
    EXPECT_EQ(*renamed, std::string("0.log.2026-") + round);
  }
  EXPECT_EQ(names(folder.path()), (std::set<std::string>{"0.log.2026-2.gz", "0.log.2026-3"}));
  EXPECT_EQ(content(folder.path("0.log.2026-3")), "round 3\n");
  EXPECT_EQ(decompressed(folder.path("0.log.2026-2.gz")), "round 2\n");
  struct stat status {};
  ASSERT_EQ(stat(folder.path("0.log.2026-2.gz").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(LogFiles, a_large_one_is_compressed_in_steps_and_left_alone_if_they_end_early) {
  const TemporaryFolder folder;
  folder.write("0.log.2026-1", std::string(20U << 20U, 'x'));
  folder.write("0.log", "new\n");
  {
    RotatingLog log({.top = folder.path(), .folder = folder.path(), .file = "0.log"}, {}, "2026-2");
    EXPECT_FALSE(log.go_on().value()) << "only begun";
    EXPECT_FALSE(log.go_on().value()) << "a part of it";
    EXPECT_EQ(names(folder.path()),
              (std::set<std::string>{"0.log", "0.log.2026-1", "0.log.2026-1.tmp"}));
  }
  EXPECT_EQ(names(folder.path()), (std::set<std::string>{"0.log", "0.log.2026-1"}));
  ASSERT_TRUE(rotated(folder.path(), "0.log", {}, "2026-2").has_value());
  EXPECT_EQ(names(folder.path()), (std::set<std::string>{"0.log.2026-1.gz", "0.log.2026-2"}));
}

TEST(LogFiles, a_pipe_among_the_rotated_ones_is_not_compressed) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("0.log.2026-1").c_str(), 0600), 0);
  folder.write("0.log", "new\n");
  const auto renamed = rotated(folder.path(), "0.log", {}, "2026-2");
  ASSERT_FALSE(renamed.has_value());
  EXPECT_NE(renamed.error().message.find("it is not a regular file"), std::string::npos);
  EXPECT_EQ(names(folder.path()), (std::set<std::string>{"0.log", "0.log.2026-1"}));
}

TEST(LogFiles, a_pipe_in_place_of_what_is_written_is_not_waited_for) {
  const TemporaryFolder folder;
  folder.write("0.log.2026-1", "old\n");
  folder.write("0.log", "new\n");
  ASSERT_EQ(::mkfifo(folder.path("0.log.2026-1.tmp").c_str(), 0600), 0);
  EXPECT_FALSE(LogCompression::begin(folder.path("0.log.2026-1")).has_value());
  EXPECT_EQ(content(folder.path("0.log.2026-1")), "old\n");
}

TEST(LogFiles, of_one_that_claims_to_be_huge_a_step_compresses_a_part) {
  const TemporaryFolder folder;
  folder.write("0.log.2026-1", "");
  std::filesystem::resize_file(folder.path("0.log.2026-1"), std::uintmax_t{4} << 40U);
  folder.write("0.log", "new\n");
  RotatingLog log({.top = folder.path(), .folder = folder.path(), .file = "0.log"}, {}, "2026-2");
  for (int step = 0; step < 3; ++step) EXPECT_FALSE(log.go_on().value());
}

TEST(LogFiles, a_log_that_is_gone_is_named) {
  const TemporaryFolder folder;
  const auto renamed = rotated(folder.path(), "0.log", {}, "now");
  ASSERT_FALSE(renamed);
  EXPECT_NE(renamed.error().message.find("0.log"), std::string::npos) << renamed.error().message;
  EXPECT_FALSE(rotated(folder.path("nothing"), "0.log", {}, "now"));
}

TEST(LogFiles, a_name_that_another_file_has_by_now_is_not_taken_from_it) {
  const TemporaryFolder folder;
  folder.write("0.log.now", "old");
  EXPECT_TRUE(rename_back(folder.path("0.log.now"), folder.path("0.log")).value());
  folder.write("0.log.later", "older");
  const auto taken = rename_back(folder.path("0.log.later"), folder.path("0.log"));
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_FALSE(*taken);
  EXPECT_EQ(content(folder.path("0.log")), "old");
  EXPECT_EQ(content(folder.path("0.log.later")), "older");
  EXPECT_FALSE(rename_back(folder.path("nothing"), folder.path("1.log")));
}

TEST(LogFiles, sizes_of_what_is_there) {
  const TemporaryFolder folder;
  folder.write("0.log", "12345");
  const auto sizes = file_sizes({folder.path("0.log"), folder.path("1.log")});
  EXPECT_EQ(sizes, (std::vector<std::optional<std::int64_t>>{5, std::nullopt}));
}

TEST(LogFiles, the_stamp_has_the_length_that_orders_files) {
  EXPECT_EQ(local_stamp(1'700'000'000).size(), 15U);
  EXPECT_LT(local_stamp(1'700'000'000), local_stamp(1'700'100'000));
}

}  // namespace
}  // namespace berth::agent
