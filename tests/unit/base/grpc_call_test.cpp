// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_call.hpp"

#include "base/grpc_status.hpp"
#include "echo_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Rpc = test::Echo::StubInterface;
using Service = GrpcService<Rpc>;
using Log = std::vector<std::string>;

std::string describe(const UnaryOutcome<test::SayReply>& outcome) {
  const auto& [status, reply] = outcome;
  if (status.ok()) return reply.text();
  return std::string(to_string(error_code(status.error_code()))) + "; " + status.error_message();
}

awaitable<void> say(const Service& service, test::SayRequest request,
                    std::optional<Nanoseconds> limit, std::thread::id loop_thread, Log& log) {
  auto call = unary_outcome(service, &Rpc::PrepareAsyncSay, std::move(request), limit);
  const auto outcome = co_await std::move(call);
  EXPECT_EQ(std::this_thread::get_id(), loop_thread) << "resumed astray";
  log.push_back(describe(outcome));
}

awaitable<void> stop_after(Clock& clock, Nanoseconds delay, TaskGroup& tasks) {
  co_await clock.sleep_for(delay);
  tasks.request_stop();
}

struct GrpcCallTest : EchoFixture {
  awaitable<void> saying(test::SayRequest request, std::optional<Nanoseconds> limit = 10s) {
    return say(service, std::move(request), limit, std::this_thread::get_id(), log);
  }
};

TEST_F(GrpcCallTest, a_reply_comes_back_on_the_loop) {
  run(saying(text("hello")));
  EXPECT_EQ(log, Log{"hello"});
}

TEST_F(GrpcCallTest, many_calls_at_once_all_come_back) {
  for (int i = 0; i < 100; ++i) tasks.spawn("say", saying(text("x")));
  loop.run();
  EXPECT_EQ(log, Log(100, "x"));
}

TEST_F(GrpcCallTest, a_failure_is_a_value) {
  run(saying(failing(grpc::StatusCode::NOT_FOUND)));
  EXPECT_EQ(log, Log{"not found; as asked"});
}

TEST_F(GrpcCallTest, a_hanging_call_ends_at_its_limit) {
  run(saying(hang(), 50ms));
  EXPECT_TRUE(server_saw_the_cancel());
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("timed out;")) << log[0];
}

TEST_F(GrpcCallTest, without_time_left_nothing_is_sent) {
  run(saying(text("late"), 0ns));
  EXPECT_EQ(log, Log{"timed out; no time is left for the call"});
}

TEST_F(GrpcCallTest, stopping_the_task_cancels_the_call_on_the_server_and_awaits_its_end) {
  TaskGroup stopper(loop.get_executor(), [](auto, auto) { FAIL(); });
  stopper.spawn("stop", stop_after(clock, 30ms, tasks));
  run(saying(hang()));
  EXPECT_TRUE(server_saw_the_cancel());
  ASSERT_EQ(log.size(), 1U);
  EXPECT_TRUE(log[0].starts_with("cancelled;")) << log[0];
}

struct CodeCase {
  grpc::StatusCode status;
  ErrorCode code;
};

TEST(GrpcStatus, every_code_says_what_the_caller_can_do) {
  const CodeCase cases[] = {
      {grpc::StatusCode::NOT_FOUND, ErrorCode::kNotFound},
      {grpc::StatusCode::ALREADY_EXISTS, ErrorCode::kAlreadyExists},
      {grpc::StatusCode::INVALID_ARGUMENT, ErrorCode::kInvalid},
      {grpc::StatusCode::OUT_OF_RANGE, ErrorCode::kInvalid},
      {grpc::StatusCode::UNAVAILABLE, ErrorCode::kUnavailable},
      {grpc::StatusCode::DEADLINE_EXCEEDED, ErrorCode::kTimeout},
      {grpc::StatusCode::CANCELLED, ErrorCode::kCancelled},
      {grpc::StatusCode::UNIMPLEMENTED, ErrorCode::kUnimplemented},
      {grpc::StatusCode::PERMISSION_DENIED, ErrorCode::kPermission},
      {grpc::StatusCode::UNAUTHENTICATED, ErrorCode::kPermission},
      {grpc::StatusCode::UNKNOWN, ErrorCode::kUnknown},
      {grpc::StatusCode::INTERNAL, ErrorCode::kUnknown},
      {grpc::StatusCode::FAILED_PRECONDITION, ErrorCode::kUnknown},
      {grpc::StatusCode::RESOURCE_EXHAUSTED, ErrorCode::kUnknown},
      {grpc::StatusCode::ABORTED, ErrorCode::kUnknown},
      {grpc::StatusCode::DATA_LOSS, ErrorCode::kUnknown},
  };
  for (const auto& [status, code] : cases) EXPECT_EQ(error_code(status), code) << status;
}

TEST(GrpcStatus, an_error_says_the_call_the_code_and_the_text) {
  EXPECT_EQ(to_error("Version", {grpc::StatusCode::UNAVAILABLE, ""}).message,
            "Version: rpc error: code = Unavailable desc = ");
  EXPECT_EQ(to_error("Version", {grpc::StatusCode::RESOURCE_EXHAUSTED, "too much"}).message,
            "Version: rpc error: code = ResourceExhausted desc = too much");
}

TEST(GrpcStatus, the_text_of_an_error_is_made_valid) {
  EXPECT_EQ(to_error("Version", {grpc::StatusCode::UNKNOWN, "no \xff file"}).message,
            "Version: rpc error: code = Unknown desc = no \\xff file");
}

}  // namespace
}  // namespace berth
