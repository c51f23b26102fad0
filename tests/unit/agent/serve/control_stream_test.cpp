// SPDX-License-Identifier: Apache-2.0

// The server side of a call.
#include "agent/serve/control_stream.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <list>
#include <thread>

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "agent/serve/control_connections.hpp"
#include "base/loop_call.hpp"
#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "echo.grpc.pb.h"
#include "tests/unit/agent/recorded_log.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using SayCall = UnaryCall<test::SayRequest, test::SayReply>;
using CountCall = StreamCall<test::CountRequest, test::CountReply>;
using Counts = LoopStream<test::CountReply>;
using CallLog = std::vector<std::string>;

awaitable<void> say(LoopChannel& server, std::string text, CallLog& log) {
  test::SayRequest request;
  request.set_text(std::move(text));
  auto call = loop_call<test::SayReply>(server, "/berth.test.Echo/Say", request, std::nullopt);
  const auto reply = co_await std::move(call);
  log.push_back(reply ? reply->text() : reply.error().message);
}

// Reads `most` messages; then the caller disconnects.
awaitable<void> count(LoopChannel& server, int to, int most, CallLog& log) {
  test::CountRequest request;
  request.set_to(to);
  Counts stream(server, "/berth.test.Echo/Count", request);
  for (int read = 0; read < most; ++read) {
    const auto message = co_await stream.read();
    if (!message) {
      log.push_back(message.error().message);
      co_return;
    }
    log.push_back(std::to_string(message->number()));
  }
}

awaitable<void> write_numbers(std::shared_ptr<CountCall> call, CallLog& log) {
  bool sent = true;
  for (int number = 1; sent && number <= call->request.to(); ++number) {
    test::CountReply reply;
    reply.set_number(number);
    sent = co_await call->write(std::move(reply));
  }
  if (!sent) log.emplace_back("the caller is gone");
  call->finish({grpc::StatusCode::OUT_OF_RANGE, "no more"});
}

class ControlStreamTest : public testing::Test {
 protected:
  ControlStreamTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "berth-calls-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    socket = folder_ + "/echo.sock";
    auto& builder = queue.server_builder();
    builder.RegisterService(&wire);
    server = builder.BuildAndStart();
    auto listening = listen_on_control_socket(socket, "");
    connections.listen(std::move(listening->socket), *server);
    stub = test::Echo::NewStub(
        grpc::CreateChannel("unix:" + socket, grpc::InsecureChannelCredentials()));
    channel.emplace(loop.get_executor(), socket, LoopChannel::Limits{});
    take<SayCall>(&test::Echo::AsyncService::RequestSay, [this](const auto& call) {
      call->attribute(users);
      user = call->user();
      call->reply.set_text(call->request.text());
      call->finish(call->request.text() == "wrong"
                       ? grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "as asked")
                       : grpc::Status::OK);
    });
    take<CountCall>(&test::Echo::AsyncService::RequestCount, [this](const auto& call) {
      call->attribute(users);
      call->begin();
      seen = call;
      if (call->request.hang_at_end()) {
        silent = call;
        return;
      }
      call->on_cancel([this] { log.emplace_back("cancelled"); });
      serving.spawn("count", write_numbers(call, log));
    });
  }
  ~ControlStreamTest() override {
    callers.request_stop();
    if (takers.size() != 0) end_server();
    run_until([this] { return callers.size() == 0; });
    closing.spawn("closing", connections.stop());
    run_until([this] { return closing.size() == 0; });
    std::filesystem::remove_all(folder_);
  }

  template <class Call, class Method, class Begin>
  void take(Method method, Begin begin) {
    takers.spawn("take", accept_calls<Call>(loop.get_executor(), queue, wire, method, begin));
  }
  // Runs until nothing but the takers is left, which keep the loop busy.
  void run() {
    EXPECT_TRUE(run_until([this] { return callers.size() == 0 && serving.size() == 0; }));
  }
  bool run_until(const std::function<bool()>& done) {
    const SteadyTime limit = clock.steady_now() + 10s;
    while (!done() && clock.steady_now() < limit) {
      if (loop.stopped()) loop.restart();
      loop.run_one_for(10ms);
    }
    return done();
  }
  void end_server() {
    std::atomic<bool> ended = false;
    const std::jthread ending([this, &ended] {
      server->Shutdown(std::chrono::system_clock::time_point{});
      ended = true;
    });
    EXPECT_TRUE(run_until([this, &ended] { return ended && takers.size() == 0; }));
  }

  RealClock clock;
  boost::asio::io_context loop{1};
  CallLog log;
  std::list<CallLog> logs;  // one for each of several callers
  std::vector<std::unique_ptr<LoopChannel>> channels;
  std::string socket;
  std::optional<uid_t> user{};  // the sender of the last call
  std::weak_ptr<CountCall> seen;
  std::shared_ptr<CountCall> silent;  // never receives anything
  TaskGroup::FailureHandler failed = [](std::string_view task, std::exception_ptr) {
    ADD_FAILURE() << task << " failed";
  };
  TaskGroup takers{loop.get_executor(), failed};
  TaskGroup serving{loop.get_executor(), failed};
  TaskGroup callers{loop.get_executor(), failed};
  TaskGroup closing{loop.get_executor(), failed};
  RecordedLog journal;
  ControlCallers users{clock, {.connections = 20, .connections_of_user = 4}};
  ControlConnections connections{loop.get_executor(), clock, journal, users, failed};
  GrpcQueue queue{loop.get_executor()};
  test::Echo::AsyncService wire;
  std::unique_ptr<grpc::Server> server;
  std::optional<LoopChannel> channel;
  std::unique_ptr<test::Echo::Stub> stub;

 private:
  std::string folder_;
};

TEST_F(ControlStreamTest, one_call_after_another_is_answered) {
  for (const auto* text : {"a", "wrong", "c"}) {
    callers.spawn("say", say(*channel, text, log));
    run();
  }
  EXPECT_EQ(log, (CallLog{"a", "Say: rpc error: code = InvalidArgument desc = as asked", "c"}));
}

TEST_F(ControlStreamTest, calls_that_come_at_once_are_all_answered) {
  for (int i = 0; i < 100; ++i) callers.spawn("say", say(*channel, "x", log));
  run();
  EXPECT_EQ(log, CallLog(100, "x"));
}

TEST_F(ControlStreamTest, what_is_written_arrives_in_order_and_then_the_status) {
  callers.spawn("count", count(*channel, 3, 10, log));
  run();
  EXPECT_EQ(log, (CallLog{"1", "2", "3", "Count: rpc error: code = OutOfRange desc = no more"}));
}

TEST_F(ControlStreamTest, a_caller_that_goes_away_is_noticed_and_nothing_is_kept) {
  callers.spawn("count", count(*channel, 1'000'000'000, 1, log));
  run();
  EXPECT_TRUE(run_until([this] { return seen.expired(); }));
  std::ranges::sort(log);
  EXPECT_EQ(log, (CallLog{"1", "cancelled", "the caller is gone"}));
}

TEST_F(ControlStreamTest, a_call_that_ended_is_not_cancelled_and_nothing_is_kept) {
  callers.spawn("count", count(*channel, 1, 10, log));
  run();
  EXPECT_TRUE(run_until([this] { return seen.expired(); }));
  EXPECT_EQ(log, (CallLog{"1", "Count: rpc error: code = OutOfRange desc = no more"}));
}

TEST_F(ControlStreamTest, that_a_call_was_taken_is_signalled_before_there_is_anything_to_say) {
  grpc::ClientContext context;
  context.set_deadline(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(clock.wall_now() + 10s));
  test::CountRequest request;
  request.set_hang_at_end(true);
  std::atomic<bool> answered = false;
  const std::jthread caller([&] {
    const auto reader = stub->Count(&context, request);
    reader->WaitForInitialMetadata();
    answered = true;
    context.TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED) << "not its deadline";
  });
  EXPECT_TRUE(run_until([&] { return answered && silent && silent->gone(); }));
  silent.reset();
  EXPECT_TRUE(run_until([this] { return seen.expired(); }));
}

// Connected callers that send nothing.
class IdleCallers {
 public:
  IdleCallers(const std::string& path, int count) {
    for (int i = 0; i < count; ++i) {
      sockets_.emplace_back(loop_);
      sockets_.back().connect(path);
    }
  }
  [[nodiscard]] int dropped() {
    return static_cast<int>(std::ranges::count_if(sockets_, [](auto& socket) {
      char byte = 0;
      return ::recv(socket.native_handle(), &byte, 1, MSG_DONTWAIT) == 0;
    }));
  }

 private:
  boost::asio::io_context loop_{1};
  std::vector<boost::asio::local::stream_protocol::socket> sockets_{};
};

TEST_F(ControlStreamTest, a_call_is_the_user_s_who_has_connected) {
  callers.spawn("say", say(*channel, "a", log));
  run();
  EXPECT_EQ(user, ::getuid());
}

TEST_F(ControlStreamTest, the_idle_make_room_and_who_has_a_call_stays) {
  callers.spawn("count", count(*channel, 1'000'000'000, 1'000'000'000, log));
  ASSERT_TRUE(run_until([this] { return !log.empty(); }));
  IdleCallers idle(socket, 10);
  EXPECT_TRUE(run_until([&idle] { return idle.dropped() == 7; })) << idle.dropped();
  LoopChannel another(loop.get_executor(), socket, {});
  CallLog said;
  callers.spawn("say", say(another, "a", said));
  EXPECT_TRUE(run_until([&said] { return !said.empty(); }));
  EXPECT_EQ(said, CallLog{"a"});
  EXPECT_FALSE(seen.expired());
}

TEST_F(ControlStreamTest, who_finds_no_room_is_refused_and_the_journal_says_whose_it_was) {
  for (int i = 0; i < 5; ++i) {
    channels.push_back(
        std::make_unique<LoopChannel>(loop.get_executor(), socket, LoopChannel::Limits{}));
    CallLog& mine = logs.emplace_back();
    callers.spawn("count", count(*channels.back(), 1'000'000'000, 1'000'000'000, mine));
    ASSERT_TRUE(run_until([&mine] { return !mine.empty(); })) << i;
  }
  ASSERT_EQ(journal.lines.size(), 1U);
  EXPECT_NE(journal.lines[0].message.find("user " + std::to_string(::getuid())), std::string::npos);
  EXPECT_NE(logs.back().front(), "1") << "there is no room for it";
}

TEST_F(ControlStreamTest, who_is_connected_goes_on_when_another_socket_takes_the_place) {
  callers.spawn("count", count(*channel, 1'000'000'000, 1'000'000'000, log));
  ASSERT_TRUE(run_until([this] { return !log.empty(); }));
  // The channel is connected, but not accepted yet.
  LoopChannel waiting(loop.get_executor(), socket, {});
  CallLog said;
  callers.spawn("say", say(waiting, "a", said));
  IdleCallers before(socket, 1);
  std::filesystem::remove(socket);
  auto again = listen_on_control_socket(socket, "");
  ASSERT_TRUE(again);
  connections.listen(std::move(again->socket), *server);
  LoopChannel anew(loop.get_executor(), socket, {});
  callers.spawn("say", say(anew, "b", said));
  EXPECT_TRUE(run_until([&said] { return said.size() == 2; }));
  const auto numbers = log.size();
  EXPECT_TRUE(run_until([&] { return log.size() > numbers; }));
  EXPECT_EQ(before.dropped(), 0);
}

TEST_F(ControlStreamTest, the_servers_end_ends_the_takers_and_what_goes_on) {
  callers.spawn("count", count(*channel, 1'000'000'000, 1'000'000'000, log));
  ASSERT_TRUE(run_until([this] { return !log.empty(); }));
  end_server();
  EXPECT_TRUE(run_until([this] { return callers.size() == 0; }));
  EXPECT_EQ(takers.size() + serving.size(), 0U);
  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace berth::agent
