#include "agent/log_stream.hpp"

#include <gtest/gtest.h>

#include "run_on_loop.hpp"
#include "temporary_folder.hpp"

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

boost::asio::awaitable<void> open_log(BlockingPool* pool, std::string path,
                                      std::optional<std::int64_t> tail,
                                      Result<std::unique_ptr<LogStream>>* log) {
  *log = co_await LogStream::open(*pool, path, tail);
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

  TemporaryFolder folder_;
  boost::asio::io_context loop_;
  BlockingPool pool_{loop_.get_executor(), 0};
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

}  // namespace
}  // namespace berth::agent
