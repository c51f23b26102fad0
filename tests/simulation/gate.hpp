// SPDX-License-Identifier: Apache-2.0

// The gate between one life of berthd and the fake world: a crash closes it.
//
// Once it is closed, no call begins any more, no answer arrives, and nothing that cancellation or
// destructors do gets through; calls that had begun go on in the world as after a lost connection.
// A life that stops in good order leaves the gate open. Loop thread only; it outlives the life it
// is for.
#pragma once

#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/notification.hpp"

namespace berth::simulation {

class Gate {
 public:
  explicit Gate(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}

  void close() { closed_ = true; }
  [[nodiscard]] bool closed() const { return closed_; }

  // Completes if the gate is open; otherwise never, and ends with its waiter.
  [[nodiscard]] boost::asio::awaitable<void> pass() {
    if (!closed_) co_return;
    Notification never(loop_);
    co_await never.wait();
  }

 private:
  boost::asio::any_io_executor loop_;
  bool closed_ = false;
};

// A call through the gate, there and back.
template <class World, class Answer, class... Given, class... Arguments>
boost::asio::awaitable<Answer> through(Gate& gate, World& world,
                                       boost::asio::awaitable<Answer> (World::*call)(Given...),
                                       Arguments... arguments) {
  co_await gate.pass();
  auto begun = (world.*call)(std::move(arguments)...);
  auto answer = co_await std::move(begun);
  co_await gate.pass();
  co_return answer;
}

}  // namespace berth::simulation
