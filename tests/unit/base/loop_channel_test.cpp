// SPDX-License-Identifier: Apache-2.0

// How a channel handles a server that violates the protocol, or does not answer: never a success,
// never a hang, and the next call can succeed.
#include "base/loop_channel.hpp"

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/loop_call.hpp"
#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "echo.pb.h"
#include "raw_server.hpp"

namespace berth {
namespace {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using Log = std::vector<std::string>;
using Stream = LoopStream<test::SayReply>;

const std::string kSay = "/berth.test.Echo/Say";

std::string text(const std::string& value) {
  test::SayReply reply;
  reply.set_text(value);
  return reply.SerializeAsString();
}

std::string good_answer(std::uint32_t stream) {
  return begin_answer(stream) + message(stream, text("good")) + end_answer(stream);
}

std::string describe(const Result<test::SayReply>& reply) {
  return reply ? reply->text()
               : std::string(to_string(reply.error().code)) + "; " + reply.error().message;
}

awaitable<void> say(LoopChannel& channel, std::string said, std::optional<Nanoseconds> limit,
                    Log& log) {
  test::SayRequest request;
  request.set_text(std::move(said));
  auto call = loop_call<test::SayReply>(channel, kSay, std::move(request), limit);
  const auto reply = co_await std::move(call);
  log.push_back(describe(reply));
}

awaitable<void> read_all(Stream& stream, Log& log) {
  for (;;) {
    const auto message = co_await stream.read();
    log.push_back(describe(message));
    if (!message) co_return;
  }
}

struct LoopChannelTest : testing::Test {
  LoopChannelTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "berth-raw-XXXXXX";
    folder = mkdtemp(pattern.data());
    server.emplace(folder + "/raw.sock");
    channel.emplace(loop.get_executor(), folder + "/raw.sock",
                    LoopChannel::Limits{.receive_bytes = 1000});
  }
  ~LoopChannelTest() override {
    channel.reset();
    server.reset();
    std::filesystem::remove_all(folder);
  }
  void run(awaitable<void> task) {
    tasks.spawn("test", std::move(task));
    loop.run();
    loop.restart();
  }
  std::string say_once(std::optional<Nanoseconds> limit = 10s, std::string said = "hello") {
    run(say(*channel, std::move(said), limit, log));
    return log.back();
  }

  std::string folder;
  boost::asio::io_context loop{1};
  Log log;
  TaskGroup tasks{loop.get_executor(), [](auto, auto) { FAIL(); }};
  std::optional<RawServer> server;
  std::optional<LoopChannel> channel;
};

TEST_F(LoopChannelTest, hears_a_server_that_keeps_to_the_protocol) {
  server->answer_with(good_answer);
  EXPECT_EQ(say_once(), "good");
}

struct WrongAnswer {
  const char* name;
  std::function<std::string(std::uint32_t)> answer;
  const char* begins;  // start of the caller's result
};

const std::vector<WrongAnswer> kWrongEnds = {
    {"a grpc-status that cannot be read",
     [](auto at) { return begin_answer(at) + message(at, text("x")) + end_answer(at, "fine"); },
     "unknown failure; Say: rpc error: code = Unknown desc = the answer's grpc-status cannot be "
     "read: fine"},
    {"two grpc-statuses",
     [](auto at) {
       return begin_answer(at) + message(at, text("x")) +
              headers(at, {{"grpc-status", "0"}, {"grpc-status", "5"}}, true);
     },
     "unknown failure; Say: rpc error: code = Unknown desc = the answer's grpc-status cannot be "
     "read: 0,5"},
    {"no grpc-status",
     [](auto at) {
       return begin_answer(at) + message(at, text("x")) + headers(at, {{"x", "y"}}, true);
     },
     "unknown failure; Say: rpc error: code = Unknown desc = the answer has no grpc-status"},
    {"a success among words that break HTTP/2's rules",
     [](auto at) {
       return begin_answer(at) + message(at, text("x")) +
              headers(at, {{"grpc-status", "0"}, {"Upper", "case"}}, true);
     },
     "unknown failure; Say: rpc error: code = Internal desc = the stream was reset"},
    {"another content-type",
     [](auto at) {
       return headers(at, {{":status", "200"}, {"content-type", "text/html"}}, false) +
              message(at, text("x")) + end_answer(at);
     },
     "unknown failure; Say: rpc error: code = Unknown desc = the answer is text/html, not gRPC"},
    {"an HTTP error",
     [](auto at) {
       return headers(at, {{":status", "503"}}, true);
     },
     "unavailable; Say: rpc error: code = Unavailable desc = no gRPC server answered, but HTTP "
     "status 503"},
};

const std::vector<WrongAnswer> kWrongMessages = {
    {"two answers to one question",
     [](auto at) {
       return begin_answer(at) + message(at, text("a")) + message(at, text("b")) + end_answer(at);
     },
     "unknown failure; Say: the server answered twice"},
    {"no answer, and yet OK", [](auto at) { return begin_answer(at) + end_answer(at); },
     "unknown failure; Say: the answer cannot be read"},
    {"an answer that breaks off",
     [](auto at) {
       return begin_answer(at) + frame(Frame::kData, 0, at, std::string("\0\0\0\0\x9xy", 7)) +
              end_answer(at);
     },
     "unknown failure; Say: rpc error: code = Internal desc = the last message breaks off"},
    {"a compressed one",
     [](auto at) { return begin_answer(at) + message(at, "zip", 1) + end_answer(at); },
     "unknown failure; Say: rpc error: code = Internal desc = a compressed message, which was not "
     "asked for"},
    {"one that says that it is too long",
     [](auto at) {
       return begin_answer(at) + frame(Frame::kData, 0, at, std::string("\0\xff\xff\xff\xff", 5));
     },
     "unknown failure; Say: rpc error: code = ResourceExhausted desc = a message of 4294967295 "
     "bytes"},
    {"one that is no message of its kind",
     [](auto at) { return begin_answer(at) + message(at, "\xff\xff") + end_answer(at); },
     "unknown failure; Say: the answer cannot be read"},
    {"a reset of what was refused",
     [](auto at) { return frame(Frame::kReset, 0, at, big_endian(7, 4)); },
     "unavailable; Say: rpc error: code = Unavailable desc = the stream was reset"},
    {"a reset in the middle",
     [](auto at) {
       return begin_answer(at) + message(at, text("x")) +
              frame(Frame::kReset, 0, at, big_endian(2, 4));
     },
     "unknown failure; Say: rpc error: code = Internal desc = the stream was reset"},
};

TEST_F(LoopChannelTest, takes_no_wrong_answer_for_a_success_and_calls_again) {
  std::vector<WrongAnswer> answers = kWrongEnds;
  answers.insert(answers.end(), kWrongMessages.begin(), kWrongMessages.end());
  for (const WrongAnswer& wrong : answers) {
    server->answer_with(wrong.answer);
    EXPECT_TRUE(say_once().starts_with(wrong.begins)) << wrong.name << ": " << log.back();
    server->answer_with(good_answer);
    EXPECT_EQ(say_once(), "good") << "after " << wrong.name;
  }
}

TEST_F(LoopChannelTest, calls_on_another_connection_after_bytes_that_are_no_http2) {
  server->answer_with([](auto) { return "HTTP/1.1 400 Bad Request\r\n\r\n"; });
  EXPECT_TRUE(say_once().starts_with("unavailable; Say: ")) << log.back();
  server->answer_with(good_answer);
  EXPECT_EQ(say_once(), "good");
  EXPECT_EQ(server->connections(), 2);
}

TEST_F(LoopChannelTest, calls_on_another_connection_after_goaway_and_asks_again_what_it_refused) {
  server->answer_with(
      [](auto) { return frame(Frame::kGoAway, 0, 0, big_endian(0, 4) + big_endian(0, 4)); });
  EXPECT_TRUE(say_once().starts_with("unavailable; Say: ")) << log.back();
  server->answer_with(good_answer);
  EXPECT_EQ(say_once(), "good");
  EXPECT_EQ(server->connections(), 2);
}

TEST_F(LoopChannelTest, hears_the_answer_to_what_goaway_still_takes) {
  server->answer_with([](auto at) {
    return frame(Frame::kGoAway, 0, 0, big_endian(at, 4) + big_endian(0, 4)) + good_answer(at);
  });
  EXPECT_EQ(say_once(), "good");
  EXPECT_EQ(say_once(), "good");
  EXPECT_EQ(server->connections(), 2);
}

TEST_F(LoopChannelTest, ends_at_its_limit_a_call_whose_window_stays_shut) {
  // SETTINGS_INITIAL_WINDOW_SIZE 0: no part of a request may be sent.
  server->greeting = frame(Frame::kSettings, 0, 0, big_endian(4, 2) + big_endian(0, 4));
  server->answer_with(good_answer);
  EXPECT_EQ(say_once(), "good") << "what goes with the greeting does not wait for the settings";
  server->answer_with([](auto) { return std::string(); });
  EXPECT_TRUE(say_once(50ms, std::string(100'000, 'x')).starts_with("timed out; Say: "))
      << log.back();
  EXPECT_EQ(server->count(Frame::kData), 1) << "that of the first call";
}

TEST_F(LoopChannelTest, ends_the_connection_with_the_last_call_that_is_given_up) {
  server->answer_with([](auto) { return std::string(); });
  tasks.spawn("a longer call", say(*channel, "hello", 100ms, log));
  EXPECT_TRUE(say_once(50ms).starts_with("timed out; Say: ")) << log.back();
  EXPECT_EQ(log.size(), 2U);
  EXPECT_EQ(server->connections(), 1) << "the longer call goes on as the other one is given up";
  server->answer_with(good_answer);
  EXPECT_EQ(say_once(), "good");
  EXPECT_EQ(server->connections(), 2);
}

TEST_F(LoopChannelTest, notices_a_server_that_has_frozen) {
  channel.emplace(loop.get_executor(), folder + "/raw.sock",
                  LoopChannel::Limits{.silence = 30ms, .sign_of_life = 30ms});
  server->answers_pings = false;
  Stream stream(*channel, kSay, test::SayRequest());
  run(read_all(stream, log));
  EXPECT_EQ(log, Log{"unavailable; Say: rpc error: code = Unavailable desc = the server gives no "
                     "sign of life"});
  EXPECT_EQ(server->count(Frame::kPing), 1);
}

TEST_F(LoopChannelTest, leaves_a_silent_server_alone_that_answers_pings) {
  channel.emplace(loop.get_executor(), folder + "/raw.sock",
                  LoopChannel::Limits{.silence = 5ms, .sign_of_life = 10s});
  EXPECT_TRUE(say_once(200ms).starts_with("timed out; Say: ")) << log.back();
  EXPECT_GE(server->count(Frame::kPing), 2);
  EXPECT_EQ(server->connections(), 1);
}

}  // namespace
}  // namespace berth
