#include "base/grpc_stream.hpp"

#include "echo_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Rpc = test::Echo::StubInterface::async_interface;
using Log = std::vector<std::string>;
using Stream = GrpcReadStream<test::CountRequest, test::CountReply>;

awaitable<void> read_all(Stream& stream, Log& log) {
  co_await boost::asio::this_coro::throw_if_cancelled(false);
  for (;;) {
    const auto message = co_await stream.read();
    if (!message) {
      log.push_back(message.error().message);
      co_return;
    }
    log.push_back(std::to_string(message->number()));
  }
}

awaitable<void> read_after_end(Stream& stream, Log& log) {
  co_await read_all(stream, log);
  const auto again = co_await stream.read();
  log.push_back(again ? "?" : again.error().message);
}

awaitable<void> read_all_slowly(Stream& stream, Clock& clock, Log& log) {
  for (;;) {
    const auto message = co_await stream.read();
    if (!message) co_return;
    log.push_back(std::to_string(message->number()));
    co_await clock.sleep_for(1ms);
  }
}

awaitable<void> stop_itself_between_reads(Stream& stream, TaskGroup& tasks, Log& log) {
  co_await boost::asio::this_coro::throw_if_cancelled(false);
  for (;;) {
    const auto message = co_await stream.read();
    if (!message) {
      log.push_back("ended");
      co_return;
    }
    tasks.request_stop();
  }
}

awaitable<void> cancel_after(Clock& clock, Nanoseconds delay, Stream& stream) {
  co_await clock.sleep_for(delay);
  stream.cancel();
}

awaitable<void> stop_after(Clock& clock, Nanoseconds delay, TaskGroup& tasks) {
  co_await clock.sleep_for(delay);
  tasks.request_stop();
}

struct GrpcStreamTest : EchoFixture {
  std::unique_ptr<Stream> open(int to, bool hang_at_end) {
    test::CountRequest request;
    request.set_to(to);
    request.set_hang_at_end(hang_at_end);
    return std::make_unique<Stream>(loop.get_executor(), "Count", stub->async(), &Rpc::Count,
                                    std::move(request));
  }
};

TEST_F(GrpcStreamTest, messages_come_in_order_and_then_the_end_for_good) {
  auto stream = open(3, false);
  run(read_after_end(*stream, log));
  const std::string end = "Count: the server ended the stream";
  EXPECT_EQ(log, (Log{"1", "2", "3", end, end}));
}

TEST_F(GrpcStreamTest, a_slow_reader_misses_nothing) {
  auto stream = open(50, false);
  run(read_all_slowly(*stream, clock, log));
  ASSERT_EQ(log.size(), 50U);
  EXPECT_EQ(log.back(), "50");
}

TEST_F(GrpcStreamTest, cancelling_the_stream_ends_the_read_under_way) {
  auto stream = open(2, true);
  tasks.spawn("cancel", cancel_after(clock, 30ms, *stream));
  run(read_all(*stream, log));
  EXPECT_TRUE(server_saw_the_cancel());
  ASSERT_EQ(log.size(), 3U);
  EXPECT_TRUE(log.back().starts_with("Count:")) << log.back();
}

TEST_F(GrpcStreamTest, stopping_the_task_ends_the_stream_on_the_server) {
  auto stream = open(0, true);
  TaskGroup stopper(loop.get_executor(), [](auto, auto) { FAIL(); });
  stopper.spawn("stop", stop_after(clock, 30ms, tasks));
  run(read_all(*stream, log));
  EXPECT_TRUE(server_saw_the_cancel());
  EXPECT_EQ(log.size(), 1U);
}

TEST_F(GrpcStreamTest, a_task_stopped_between_reads_still_sees_the_streams_end) {
  auto stream = open(3, true);
  run(stop_itself_between_reads(*stream, tasks, log));
  EXPECT_TRUE(server_saw_the_cancel());
  EXPECT_EQ(log, Log{"ended"});
}

TEST_F(GrpcStreamTest, a_server_that_is_not_there_ends_the_stream_at_once) {
  server.reset();
  auto stream = open(3, false);
  run(read_all(*stream, log));
  ASSERT_EQ(log.size(), 1U);
}

}  // namespace
}  // namespace berth
