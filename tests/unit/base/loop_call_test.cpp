// SPDX-License-Identifier: Apache-2.0

#include "base/loop_call.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <grpc/grpc.h>

#include "base/deadline.hpp"
#include "echo_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;
using Stream = LoopStream<test::CountReply>;

constexpr const char* kSay = "/berth.test.Echo/Say";
constexpr const char* kCount = "/berth.test.Echo/Count";

std::string describe(const Result<test::SayReply>& reply) {
  return reply ? reply->text()
               : std::string(to_string(reply.error().code)) + "; " + reply.error().message;
}

awaitable<void> say(LoopChannel& channel, test::SayRequest request,
                    std::optional<Nanoseconds> limit, Log& log) {
  auto call = loop_call<test::SayReply>(channel, kSay, std::move(request), limit);
  const auto reply = co_await std::move(call);
  log.push_back(describe(reply));
}

awaitable<void> say_before(Clock& clock, SteadyTime deadline, LoopChannel& channel,
                           test::SayRequest request, Log& log) {
  std::string what = "saying";
  auto call = loop_call<test::SayReply>(channel, kSay, std::move(request), std::nullopt);
  auto raced = with_deadline(clock, deadline, std::move(what), std::move(call));
  const auto reply = co_await std::move(raced);
  log.push_back(describe(reply));
}

awaitable<void> call_unknown(LoopChannel& channel, Log& log) {
  auto call = loop_call<test::SayReply>(channel, "/berth.test.Echo/Sing", test::SayRequest(), 10s);
  const auto reply = co_await std::move(call);
  log.push_back(describe(reply));
}

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

awaitable<void> read_all_and_cancel_the_third(Stream& stream, Clock& clock, TaskGroup& tasks,
                                              Log& log) {
  for (int i = 0; i < 2; ++i) {
    const auto message = co_await stream.read();
    log.push_back(message ? std::to_string(message->number()) : message.error().message);
  }
  tasks.spawn("cancel", cancel_after(clock, 1ms, stream));
  co_await read_all(stream, log);
}

awaitable<void> stop_after(Clock& clock, Nanoseconds delay, TaskGroup& tasks) {
  co_await clock.sleep_for(delay);
  tasks.request_stop();
}

struct LoopCallTest : EchoFixture {
  // Keeps gRPC's library initialised: shutting it down after every test can take 10 s.
  static void SetUpTestSuite() { grpc_init(); }

  LoopChannel berths{loop.get_executor(), "unix://" + socket, {.receive_bytes = 1 << 24}};

  awaitable<void> saying(test::SayRequest request, std::optional<Nanoseconds> limit = 10s) {
    return say(berths, std::move(request), limit, log);
  }
  Stream count(int to, bool hang_at_end) {
    test::CountRequest request;
    request.set_to(to);
    request.set_hang_at_end(hang_at_end);
    return {berths, kCount, request};
  }
};

TEST_F(LoopCallTest, a_reply_comes_back) {
  run(saying(text("hello")));
  EXPECT_EQ(log, Log{"hello"});
}

TEST_F(LoopCallTest, a_call_without_limit_is_allowed) {
  run(saying(text("pull"), std::nullopt));
  EXPECT_EQ(log, Log{"pull"});
}

TEST_F(LoopCallTest, many_calls_at_once_all_come_back) {
  for (int i = 0; i < 300; ++i) tasks.spawn("say", saying(text("x")));
  loop.run();
  EXPECT_EQ(log, Log(300, "x"));
}

TEST_F(LoopCallTest, long_messages_pass_both_ways) {
  const std::string longer_than_a_window(5 << 18, 'x');
  run(saying(text(longer_than_a_window)));
  EXPECT_EQ(log, Log{longer_than_a_window});
}

TEST_F(LoopCallTest, an_answer_that_is_too_long_is_a_failure_and_the_next_call_works) {
  LoopChannel narrow(loop.get_executor(), socket, {.receive_bytes = 10});
  run(say(narrow, text("more than ten bytes"), 10s, log));
  run(say(narrow, text("ten"), 10s, log));
  ASSERT_EQ(log.size(), 2U);
  EXPECT_TRUE(log[0].starts_with(
      "unknown failure; Say: rpc error: code = ResourceExhausted desc = a message of"))
      << log[0];
  EXPECT_EQ(log[1], "ten");
}

TEST_F(LoopCallTest, a_failure_is_a_value_with_the_methods_name) {
  run(saying(failing(grpc::StatusCode::NOT_FOUND)));
  EXPECT_EQ(log, Log{"not found; Say: rpc error: code = NotFound desc = as asked"});
}

TEST_F(LoopCallTest, a_method_that_the_server_does_not_know_is_unimplemented) {
  run(call_unknown(berths, log));
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("not implemented; Sing:")) << log[0];
}

TEST_F(LoopCallTest, a_hanging_call_ends_at_its_limit_and_on_the_server) {
  run(saying(hang(), 50ms));
  EXPECT_TRUE(server_saw_the_cancel());
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("timed out; Say:")) << log[0];
}

TEST_F(LoopCallTest, without_time_left_nothing_is_sent) {
  run(saying(text("late"), 0ns));
  EXPECT_EQ(
      log,
      Log{"timed out; Say: rpc error: code = DeadlineExceeded desc = context deadline exceeded"});
}

TEST_F(LoopCallTest, stopping_the_task_cancels_the_call_on_the_server) {
  TaskGroup stopper(loop.get_executor(), [](auto, auto) { FAIL(); });
  stopper.spawn("stop", stop_after(clock, 30ms, tasks));
  run(saying(hang()));
  EXPECT_TRUE(server_saw_the_cancel());
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("cancelled; Say:")) << log[0];
}

TEST_F(LoopCallTest, a_deadline_of_our_own_cancels_the_call) {
  run(say_before(clock, clock.steady_now() + 30ms, berths, hang(), log));
  EXPECT_TRUE(server_saw_the_cancel());
  EXPECT_EQ(log, Log{"timed out; saying: no answer in time"});
}

TEST_F(LoopCallTest, a_server_that_is_not_there_is_unavailable_at_once_and_found_when_it_is_back) {
  run(saying(text("first")));
  server.reset();
  run(saying(text("anybody")));
  server = std::make_unique<EchoServer>(socket);
  run(saying(text("back")));
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0], "first");
  EXPECT_TRUE(log[1].starts_with(
      "unavailable; Say: rpc error: code = Unavailable desc = connecting to " + socket))
      << log[1];
  EXPECT_EQ(log[2], "back");
}

TEST_F(LoopCallTest, a_server_that_ends_under_a_call_makes_it_unavailable) {
  tasks.spawn("say", saying(hang(), std::nullopt));
  while (loop.run_one_for(20ms) != 0) {
  }
  server.reset();
  loop.restart();
  loop.run();
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("cancelled; Say:") || log[0].starts_with("unavailable; Say:"))
      << log[0];
}

TEST_F(LoopCallTest, a_socket_that_accepts_and_never_answers_is_given_up) {
  const std::string path = socket + ".silent";
  const int silent = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const void* raw = &address;
  ASSERT_EQ(::bind(silent, static_cast<const sockaddr*>(raw), sizeof address), 0);
  ASSERT_EQ(::listen(silent, 8), 0);
  LoopChannel hopeless(loop.get_executor(), path, {.handshake = 40ms});
  run(say(hopeless, text("anybody"), 10s, log));
  EXPECT_EQ(log, Log{"unavailable; Say: rpc error: code = Unavailable desc = the server accepts "
                     "and does not answer"});
  ::close(silent);
}

TEST_F(LoopCallTest, messages_of_a_stream_come_in_order_and_then_the_end_for_good) {
  auto stream = count(3, false);
  run(read_after_end(stream, log));
  const std::string end = "Count: the server ended the stream";
  EXPECT_EQ(log, (Log{"1", "2", "3", end, end}));
}

TEST_F(LoopCallTest, a_slow_reader_misses_nothing) {
  auto stream = count(50, false);
  run(read_all_slowly(stream, clock, log));
  ASSERT_EQ(log.size(), 50U);
  EXPECT_EQ(log.back(), "50");
}

TEST_F(LoopCallTest, cancelling_the_stream_ends_the_read_under_way) {
  auto stream = count(2, true);
  run(read_all_and_cancel_the_third(stream, clock, tasks, log));
  EXPECT_TRUE(server_saw_the_cancel());
  EXPECT_EQ(log, (Log{"1", "2", "Count: rpc error: code = Canceled desc = context canceled"}));
}

TEST_F(LoopCallTest, stopping_the_task_ends_the_stream_on_the_server) {
  auto stream = count(0, true);
  TaskGroup stopper(loop.get_executor(), [](auto, auto) { FAIL(); });
  stopper.spawn("stop", stop_after(clock, 30ms, tasks));
  run(read_all(stream, log));
  EXPECT_TRUE(server_saw_the_cancel());
  EXPECT_EQ(log.size(), 1U);
}

TEST_F(LoopCallTest, a_task_stopped_between_reads_still_sees_the_streams_end) {
  auto stream = count(3, true);
  run(stop_itself_between_reads(stream, tasks, log));
  EXPECT_TRUE(server_saw_the_cancel());
  EXPECT_EQ(log, Log{"ended"});
}

TEST_F(LoopCallTest, a_server_that_is_not_there_ends_the_stream_at_once) {
  server.reset();
  auto stream = count(3, false);
  run(read_all(stream, log));
  EXPECT_EQ(log.size(), 1U);
}

}  // namespace
}  // namespace berth
