// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_queue.hpp"

#include "echo_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Service = GrpcService<test::Echo::StubInterface>;

awaitable<void> say(const Service& service, test::SayRequest request,
                    std::vector<grpc::StatusCode>& out) {
  auto call = unary_outcome(service, &test::Echo::StubInterface::PrepareAsyncSay,
                            std::move(request), std::nullopt);
  const auto outcome = co_await std::move(call);
  if (!outcome.status.ok()) out.push_back(outcome.status.error_code());
}

awaitable<void> stop_after(Clock& clock, Nanoseconds delay, TaskGroup& tasks) {
  co_await clock.sleep_for(delay);
  tasks.request_stop();
}

struct GrpcQueueTest : EchoFixture {
  std::optional<GrpcQueue> own{loop.get_executor()};
};

TEST_F(GrpcQueueTest, ends_at_once_when_nothing_was_begun) {
  own.reset();
  EXPECT_EQ(loop.run(), 0U);
}

TEST_F(GrpcQueueTest, ends_after_the_calls_under_way_were_cancelled_and_awaited) {
  const Service over_own{&*own, test::Echo::NewStub(channel)};
  test::SayRequest hang;
  hang.set_hang(true);
  std::vector<grpc::StatusCode> ends;
  for (int i = 0; i < 20; ++i) tasks.spawn("say", say(over_own, hang, ends));
  TaskGroup stopper(loop.get_executor(), [](auto, auto) { FAIL(); });
  stopper.spawn("stop", stop_after(clock, 30ms, tasks));
  loop.run();
  EXPECT_EQ(tasks.size(), 0U);
  own.reset();
  EXPECT_EQ(ends, std::vector<grpc::StatusCode>(20, grpc::StatusCode::CANCELLED));
  loop.restart();
  EXPECT_EQ(loop.run(), 0U) << "something was still reported";
}

TEST_F(GrpcQueueTest, cancelling_after_the_end_of_a_call_cancels_nothing) {
  std::vector<grpc::StatusCode> ends;
  TaskGroup stopper(loop.get_executor(), [](auto, auto) { FAIL(); });
  const auto call_then_sleep = [&]() -> awaitable<void> {
    auto saying = say(service, test::SayRequest(), ends);
    co_await std::move(saying);
    stopper.spawn("stop", stop_after(clock, 1ms, tasks));
    auto sleeping = clock.sleep_for(1h);
    co_await std::move(sleeping);
  };
  run(call_then_sleep());
  EXPECT_TRUE(ends.empty());
  EXPECT_EQ(server->cancelled, 0);
}

}  // namespace
}  // namespace berth
