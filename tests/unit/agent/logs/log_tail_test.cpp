// SPDX-License-Identifier: Apache-2.0

// The last lines of logs that no runtime wrote: a container with access to the folder can leave
// terabytes there that take no space.
#include <zlib.h>

#include <limits>

#include <gtest/gtest.h>

#include "agent/logs/log_file.hpp"
#include "agent/logs/log_stream.hpp"
#include "base/real_clock.hpp"
#include "tests/unit/agent/run_on_loop.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

constexpr std::uintmax_t kHuge = std::uintmax_t{4} << 40U;
constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

using Opened = Result<std::unique_ptr<LogStream>>;

boost::asio::awaitable<void> open_tail(BlockingPool* pool, std::string folder, std::int64_t lines,
                                       Opened* log) {
  *log = co_await LogStream::open(*pool, folder, folder + "/0.log", lines);
}

boost::asio::awaitable<void> read_rest(LogStream* log, std::string* text) {
  while (true) {
    const auto piece = co_await log->read();
    if (!piece || piece->empty()) co_return;
    *text += *piece;
  }
}

struct Searched {
  TailSought sought{};
  int steps = 0;
};

class LogTailTest : public ::testing::Test {
 protected:
  void write_huge(const std::string& name, const std::string& end) const {
    folder_.write(name, "");
    std::filesystem::resize_file(folder_.path(name), kHuge);
    folder_.append(name, end);
  }
  void write_compressed_zeros(const std::string& name, int megabytes) const {
    gzFile file = gzopen(folder_.path(name).c_str(), "wb1");
    const std::string zeros(kMegabyte, '\0');
    for (int i = 0; i < megabytes; ++i)
      gzwrite(file, zeros.data(), static_cast<unsigned>(zeros.size()));
    gzclose(file);
  }

  static Searched search(LogFile& file, TailSought sought) {
    Searched searched{.sought = sought};
    for (bool over = false; !over;) {
      ++searched.steps;
      const auto found = file.seek_tail(searched.sought);
      EXPECT_TRUE(found.has_value());
      over = !found || *found;
    }
    return searched;
  }
  static std::string all_of(LogFile& file) {
    std::string text;
    while (true) {
      const auto piece = file.read();
      if (!piece || piece->empty()) return text;
      text += *piece;
    }
  }

  TemporaryFolder folder_;
  boost::asio::io_context loop_;
  RealClock clock_{};
  BlockingPool pool_{loop_.get_executor(), clock_, {}};
};

TEST(TailSought, any_number_of_lines_has_a_bound) {
  EXPECT_EQ(TailSought::of(0).bytes, TailSought::kLeast);
  EXPECT_EQ(TailSought::of(3).bytes, TailSought::kLeast + 3 * TailSought::kLine);
  const auto most = TailSought::of(std::numeric_limits<std::int64_t>::max());
  EXPECT_GT(most.bytes, std::int64_t{1} << 60U);
}

TEST_F(LogTailTest, a_huge_file_without_lines_is_searched_in_steps_and_not_to_its_start) {
  write_huge("0.log", "");
  auto file = LogFile::open(folder_.path("0.log"));
  ASSERT_TRUE(file.has_value());
  const auto [sought, steps] = search(*file, TailSought::of(5));
  EXPECT_TRUE(sought.given_up);
  EXPECT_EQ(sought.lines, 0) << "no other file is searched";
  EXPECT_GE(steps, 4);
  EXPECT_LE(steps, 20);
  EXPECT_EQ(all_of(*file), "") << "no line begins in what was searched";
}

TEST_F(LogTailTest, what_was_found_when_a_search_is_given_up_begins_with_a_line) {
  write_huge("0.log", "\n2\n3\n");
  auto file = LogFile::open(folder_.path("0.log"));
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(search(*file, TailSought::of(5)).sought.given_up);
  EXPECT_EQ(all_of(*file), "2\n3\n");
  auto enough = LogFile::open(folder_.path("0.log"));
  const auto [sought, steps] = search(*enough, TailSought::of(2));
  EXPECT_FALSE(sought.given_up);
  EXPECT_EQ(steps, 1);
  EXPECT_EQ(all_of(*enough), "2\n3\n");
}

TEST_F(LogTailTest, lines_as_long_as_any_runtime_writes_them_are_found_however_many) {
  const std::string line(static_cast<std::size_t>(TailSought::kLine) - 1, 'x');
  std::string text;
  constexpr std::int64_t kLines = 1200;  // more than are searched in any case
  for (std::int64_t i = 0; i < kLines; ++i) text += line + "\n";
  ASSERT_GT(static_cast<std::int64_t>(text.size()), TailSought::kLeast);
  folder_.write("0.log", "first\n" + text);
  auto file = LogFile::open(folder_.path("0.log"));
  const auto [sought, steps] = search(*file, TailSought::of(kLines));
  EXPECT_FALSE(sought.given_up);
  EXPECT_GT(steps, 1);
  EXPECT_TRUE(all_of(*file) == text);
}

TEST_F(LogTailTest, a_compressed_run_of_zeros_is_decompressed_in_steps_and_not_to_its_end) {
  write_compressed_zeros("0.log.20260101-000001.gz", 32);
  const std::string path = folder_.path("0.log.20260101-000001.gz");
  auto whole = LogFile::open(path);
  ASSERT_TRUE(whole.has_value());
  const Searched all = search(*whole, TailSought::of(5));
  EXPECT_FALSE(all.sought.given_up);
  EXPECT_EQ(all.sought.lines, 4) << "it is one line";
  EXPECT_GE(all.steps, 4);
  EXPECT_EQ(all_of(*whole).size(), 32 * kMegabyte);
  auto part = LogFile::open(path);
  const Searched some = search(*part, {.lines = 5, .bytes = 0, .decompressed = 16 * kMegabyte});
  EXPECT_TRUE(some.sought.given_up);
  EXPECT_LE(some.steps, 3);
  EXPECT_EQ(all_of(*part), "");
}

TEST_F(LogTailTest, what_may_be_searched_is_counted_over_all_files) {
  write_compressed_zeros("1.gz", 4);
  write_compressed_zeros("2.gz", 4);
  auto newer = LogFile::open(folder_.path("2.gz"));
  auto older = LogFile::open(folder_.path("1.gz"));
  const TailSought limit{.lines = 5, .bytes = 0, .decompressed = 6 * kMegabyte};
  const Searched first = search(*newer, limit);
  EXPECT_FALSE(first.sought.given_up);
  EXPECT_TRUE(search(*older, first.sought).sought.given_up);
}

TEST_F(LogTailTest, a_log_behind_a_huge_file_begins_where_the_search_ended_and_says_so) {
  folder_.write("0.log.20260101-000001", "old\n");
  write_huge("0.log.20260101-000002", "\nend\n");
  folder_.write("0.log", "1\n2\n");
  Opened log = fail(ErrorCode::kUnknown, "not opened");
  run_on(loop_, open_tail(&pool_, folder_.path(), 5, &log));
  ASSERT_TRUE(log.has_value()) << log.error().message;
  EXPECT_TRUE((*log)->tail_given_up());
  std::string text;
  run_on(loop_, read_rest(log->get(), &text));
  EXPECT_EQ(text, "end\n1\n2\n");
  run_on(loop_, open_tail(&pool_, folder_.path(), 3, &log));
  EXPECT_FALSE((*log)->tail_given_up());
}

TEST_F(LogTailTest, whoever_leaves_ends_the_search) {
  write_huge("0.log", "");
  Opened log = fail(ErrorCode::kUnknown, "not opened");
  TaskGroup tasks(loop_.get_executor(), rethrow);
  constexpr std::int64_t kLines = 1'000'000'000;  // the whole file may be searched for so many
  tasks.spawn("log", open_tail(&pool_, folder_.path(), kLines, &log));
  for (int turns = 0; turns < 10; ++turns) loop_.poll_one();
  ASSERT_EQ(tasks.size(), 1U) << "still searching";
  tasks.request_stop();
  loop_.run();
  EXPECT_EQ(tasks.size(), 0U);
  EXPECT_FALSE(log.has_value());
}

}  // namespace
}  // namespace berth::agent
