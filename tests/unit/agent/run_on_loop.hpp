// SPDX-License-Identifier: Apache-2.0

// Runs one coroutine on a loop until it ends.
#pragma once

#include <stdexcept>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"

namespace berth::agent {

inline void rethrow(std::string_view /*task*/, std::exception_ptr failure) {
  std::rethrow_exception(failure);
}

inline void run_on(boost::asio::io_context& loop, boost::asio::awaitable<void> test) {
  TaskGroup tasks(loop.get_executor(), rethrow);
  tasks.spawn("test", std::move(test));
  loop.restart();
  loop.run();
}

}  // namespace berth::agent
