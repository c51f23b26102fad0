// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_stream.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agent/logs/log_files.hpp"
#include "base/real_clock.hpp"
#include "node/own_folder.hpp"
#include "tests/unit/agent/logs/rotated.hpp"
#include "tests/unit/agent/run_on_loop.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

boost::asio::awaitable<void> read_all(LogStream* log, std::string* text) {
  while (true) {
    const auto piece = co_await log->read();
    EXPECT_TRUE(piece.has_value());
    if (!piece || piece->empty()) co_return;
    *text += *piece;
  }
}

boost::asio::awaitable<void> read_once(LogStream* log, Result<std::string>* piece) {
  *piece = co_await log->read();
}

boost::asio::awaitable<void> open_log(BlockingPool* pool, std::string path,
                                      std::optional<std::int64_t> tail,
                                      Result<std::unique_ptr<LogStream>>* log) {
  *log = co_await LogStream::open(*pool, node::folder_of(path), path, tail);
}

class LogStreamTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<LogStream>> open(std::optional<std::int64_t> tail = {}) {
    Result<std::unique_ptr<LogStream>> log = fail(ErrorCode::kUnknown, "not opened");
    run_on(loop_, open_log(&pool_, folder_.path("0.log"), tail, &log));
    return log;
  }
  std::string read(LogStream& log) {
    std::string text;
    run_on(loop_, read_all(&log, &text));
    return text;
  }

  // Rotates the log as the rotator does; the runtime then recreates the file.
  void rotate(const std::string& stamp, std::int32_t max_files = 10) {
    const auto renamed = rotated(folder_.path(), "0.log", {.max_files = max_files}, stamp);
    ASSERT_TRUE(renamed) << renamed.error().message;
  }
  // Three rotated logs, two of them compressed.
  void write_rotated() {
    folder_.write("0.log", "1\n2\n");
    rotate("20260101-000001");
    folder_.write("0.log", "3\n4\n5\n");
    rotate("20260101-000002");
    folder_.write("0.log", "6\n");
    rotate("20260101-000003");
    folder_.write("0.log", "7\n8\n");
    ASSERT_TRUE(std::filesystem::exists(folder_.path("0.log.20260101-000001.gz")));
    ASSERT_TRUE(std::filesystem::exists(folder_.path("0.log.20260101-000002.gz")));
    ASSERT_TRUE(std::filesystem::exists(folder_.path("0.log.20260101-000003")));
  }

  TemporaryFolder folder_;
  boost::asio::io_context loop_;
  RealClock clock_{};
  BlockingPool pool_{loop_.get_executor(), clock_, {}};
};

TEST_F(LogStreamTest, a_missing_file_is_named) {
  const auto log = open();
  ASSERT_FALSE(log.has_value());
  EXPECT_EQ(log.error().code, ErrorCode::kNotFound);
  EXPECT_NE(log.error().message.find("0.log"), std::string::npos);
}

TEST_F(LogStreamTest, reads_what_is_there_and_then_what_comes) {
  folder_.write("0.log", "one\n");
  const auto log = open();
  EXPECT_EQ(read(**log), "one\n");
  EXPECT_EQ(read(**log), "");
  folder_.append("0.log", "two\n");
  EXPECT_EQ(read(**log), "two\n");
}

TEST_F(LogStreamTest, begins_with_the_last_lines_of_a_large_file) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "line " + std::to_string(i) + "\n";
  folder_.write("0.log", text);
  const auto log = open(3);
  EXPECT_EQ(read(**log), "line 49997\nline 49998\nline 49999\n");
  const auto all = open(1'000'000);
  EXPECT_EQ(read(**all), text);
}

TEST_F(LogStreamTest, goes_on_over_a_rotation) {
  folder_.write("0.log", "one\n");
  const auto log = open();
  EXPECT_EQ(read(**log), "one\n");
  folder_.append("0.log", "two\n");
  std::filesystem::rename(folder_.path("0.log"), folder_.path("0.log.old"));
  folder_.write("0.log", "three\n");
  EXPECT_EQ(read(**log), "two\nthree\n");
}

TEST_F(LogStreamTest, begins_with_the_oldest_file_that_is_left) {
  write_rotated();
  folder_.write("0.log.20260101-000003.tmp", "half of it");
  folder_.write("1.log", "another instance\n");
  const auto log = open();
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(read(**log), "1\n2\n3\n4\n5\n6\n7\n8\n");
}

TEST_F(LogStreamTest, of_any_number_of_rotated_files_the_newest_hundred_are_read) {
  for (int i = 0; i < 300; ++i)
    folder_.write(fmt::format("0.log.20260101-{:06}", i), fmt::format("{}\n", i));
  folder_.write("0.log", "now\n");
  const auto log = open();
  ASSERT_TRUE(log) << log.error().message;
  const std::string text = read(**log);
  EXPECT_TRUE(text.starts_with("200\n201\n")) << text;
  EXPECT_TRUE(text.ends_with("299\nnow\n")) << text;
}

TEST_F(LogStreamTest, the_last_lines_may_begin_in_any_file) {
  write_rotated();
  const std::string all = "1\n2\n3\n4\n5\n6\n7\n8\n";
  for (std::int64_t lines = 0; lines <= 9; ++lines) {
    const auto log = open(lines);
    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(
        read(**log),
        all.substr(all.size() - static_cast<std::size_t>(std::min<std::int64_t>(2 * lines, 16))))
        << lines;
  }
}

TEST_F(LogStreamTest, the_last_lines_of_a_large_compressed_file_are_found) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "line " + std::to_string(i) + "\n";
  folder_.write("0.log", text);
  rotate("20260101-000001");
  folder_.write("0.log", "");
  rotate("20260101-000002");
  folder_.write("0.log", "last\n");
  const auto log = open(20'001);
  EXPECT_EQ(read(**log), text.substr(text.find("line 30000\n")) + "last\n");
}

TEST_F(LogStreamTest, loses_nothing_and_repeats_nothing_over_two_rotations_between_two_reads) {
  folder_.write("0.log", "1\n");
  rotate("20260101-000001");
  folder_.write("0.log", "2\n");
  const auto log = open();
  EXPECT_EQ(read(**log), "1\n2\n");
  folder_.append("0.log", "3\n");
  rotate("20260101-000002");
  folder_.write("0.log", "4\n");
  rotate("20260101-000003");
  ASSERT_TRUE(std::filesystem::exists(folder_.path("0.log.20260101-000002.gz")));
  folder_.write("0.log", "5\n");
  EXPECT_EQ(read(**log), "3\n4\n5\n");
  EXPECT_EQ(read(**log), "");
}

TEST_F(LogStreamTest, goes_on_where_the_files_in_between_are_gone) {
  folder_.write("0.log", "1\n");
  const auto log = open();
  EXPECT_EQ(read(**log), "1\n");
  folder_.append("0.log", "2\n");
  rotate("20260101-000001", 2);
  folder_.write("0.log", "3\n");
  rotate("20260101-000002", 2);
  folder_.write("0.log", "4\n");
  EXPECT_EQ(read(**log), "2\n3\n4\n") << "what has been opened stays readable";
}

TEST_F(LogStreamTest, between_the_renaming_and_the_new_file_there_is_nothing_yet) {
  folder_.write("0.log", "1\n");
  rotate("20260101-000001");
  const auto log = open();
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_EQ(read(**log), "1\n");
  EXPECT_EQ(read(**log), "");
  folder_.write("0.log", "2\n");
  EXPECT_EQ(read(**log), "2\n");
  rotate("20260101-000002");
  EXPECT_EQ(read(**log), "");
  folder_.write("0.log", "3\n");
  EXPECT_EQ(read(**log), "3\n");
}

TEST_F(LogStreamTest, a_log_that_is_collected_while_it_is_read_ends) {
  folder_.write("0.log", "1\n");
  const auto log = open();
  std::filesystem::remove_all(folder_.path());
  EXPECT_EQ(read(**log), "1\n");
  EXPECT_EQ(read(**log), "");
}

TEST_F(LogStreamTest, a_compressed_file_that_is_damaged_is_named) {
  folder_.write("0.log.20260101-000001.gz", "\x1f\x8b\x08 no gzip at all");
  folder_.write("0.log", "1\n");
  const auto log = open();
  ASSERT_TRUE(log);
  Result<std::string> piece = "";
  run_on(loop_, read_once(log->get(), &piece));
  ASSERT_FALSE(piece);
  EXPECT_NE(piece.error().message.find("000001.gz"), std::string::npos) << piece.error().message;
}

}  // namespace
}  // namespace berth::agent
