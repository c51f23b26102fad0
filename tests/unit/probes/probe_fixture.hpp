// SPDX-License-Identifier: Apache-2.0

// Handlers with servers on the loopback, on one loop; time is virtual, the sockets are real.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/grpc_queue.hpp"
#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"
#include "fake_runtime.hpp"
#include "probes/handlers.hpp"

namespace berth::probes {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

class ProbeFixture : public testing::Test {
 protected:
  // Runs the loop until `done`, for as long as a slow machine may need.
  void turn_until(const std::function<bool()>& done) {
    constexpr int kTurns = 10'000;
    for (int turn = 0; turn < kTurns && !done(); ++turn) {
      if (loop.stopped()) loop.restart();
      loop.run_one_for(1ms);
    }
    ASSERT_TRUE(done()) << "nothing came of it";
  }

  void start(Target target, std::optional<Nanoseconds> limit = 1s) {
    attempt.reset();
    tasks.spawn("attempt", keep(handlers, std::move(target), limit, attempt));
  }

  Attempt run(Target target, std::optional<Nanoseconds> limit = 1s) {
    start(std::move(target), limit);
    turn_until([this] { return attempt.has_value(); });
    return attempt.value_or(Attempt{});
  }

  // Advances the time beyond the limit once the server has what it waits for, so that no answer
  // comes.
  Attempt time_out(Nanoseconds limit) {
    clock.advance(limit);
    turn_until([this] { return attempt.has_value(); });
    return attempt.value_or(Attempt{});
  }

  void TearDown() override {
    tasks.request_stop();
    turn_until([this] { return tasks.size() == 0; });
  }

  static asio::awaitable<void> keep(Handlers& handlers, Target target,
                                    std::optional<Nanoseconds> limit,
                                    std::optional<Attempt>& attempt) {
    auto running = handlers.run(std::move(target), limit);
    attempt = co_await std::move(running);
  }

  asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  FakeRuntime runtime;
  GrpcQueue queue{loop.get_executor()};
  NodeHandlers handlers{clock, runtime, queue};
  std::optional<Attempt> attempt;
  TaskGroup tasks{loop.get_executor(), [](std::string_view task, std::exception_ptr) {
                    ADD_FAILURE() << task << " failed";
                  }};
};

// Sends one prepared text per connection and closes, or stays silent.
class TestServer {
 public:
  struct Reply {
    std::string text{};
    bool stay_open = false;
  };

  TestServer(asio::io_context& loop, TaskGroup& tasks, std::vector<Reply> replies)
      : state_(std::make_shared<State>(
            tcp::acceptor(loop, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)),
            std::move(replies))) {
    tasks.spawn("server", serve(state_));
  }

  [[nodiscard]] std::uint16_t port() const { return state_->acceptor.local_endpoint().port(); }
  [[nodiscard]] const std::vector<std::string>& requests() const { return state_->requests; }

 private:
  // Shared, as the task outlives the test's own variable.
  struct State {
    State(tcp::acceptor listening, std::vector<Reply> prepared)
        : acceptor(std::move(listening)), replies(std::move(prepared)) {}

    tcp::acceptor acceptor;
    std::vector<Reply> replies;
    std::vector<std::string> requests{};
    std::vector<tcp::socket> open{};
  };

  static asio::awaitable<void> serve(std::shared_ptr<State> state) {
    for (const auto& reply : state->replies) {
      auto accepting = state->acceptor.async_accept(asio::use_awaitable);
      auto socket = co_await std::move(accepting);
      auto answering = answer(*state, socket, reply);
      co_await std::move(answering);
      if (reply.stay_open) state->open.push_back(std::move(socket));
    }
  }

  static asio::awaitable<void> answer(State& state, tcp::socket& socket, const Reply& reply) {
    std::string request;
    std::array<char, 1'024> chunk{};
    while (request.find("\r\n\r\n") == std::string::npos) {
      auto reading =
          socket.async_read_some(asio::buffer(chunk), asio::as_tuple(asio::use_awaitable));
      const auto outcome = co_await std::move(reading);
      if (std::get<0>(outcome)) break;
      request.append(chunk.data(), std::get<1>(outcome));
    }
    state.requests.push_back(request);
    auto writing =
        asio::async_write(socket, asio::buffer(reply.text), asio::as_tuple(asio::use_awaitable));
    co_await std::move(writing);
  }

  std::shared_ptr<State> state_;
};

// A loopback port on which nobody listens.
inline std::uint16_t closed_port(asio::io_context& loop) {
  tcp::acceptor taken(loop, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0));
  return taken.local_endpoint().port();
}

}  // namespace berth::probes
