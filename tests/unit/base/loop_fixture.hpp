// SPDX-License-Identifier: Apache-2.0

// A loop, a virtual clock and a task group, driven by hand: what most tests of asynchronous code
// need.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"

namespace berth {

using namespace std::chrono_literals;

class LoopFixture : public testing::Test {
 protected:
  void drain() {
    if (loop.stopped()) loop.restart();
    loop.poll();
  }
  void spawn(std::string name, boost::asio::awaitable<void> task) {
    tasks.spawn(std::move(name), std::move(task));
  }
  void spawn_and_drain(boost::asio::awaitable<void> task) {
    spawn("task", std::move(task));
    drain();
  }
  void TearDown() override {
    tasks.request_stop();
    drain();
    ASSERT_EQ(tasks.size(), 0U) << "a task does not honour cancellation";
  }

  boost::asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  std::vector<std::string> log{};  // what happened, in order
  TaskGroup tasks{loop.get_executor(), [this](std::string_view task, std::exception_ptr failure) {
                    try {
                      std::rethrow_exception(failure);
                    } catch (const std::exception& error) {
                      log.push_back(std::string(task) + ": " + error.what());
                    }
                  }};
};

}  // namespace berth
