// SPDX-License-Identifier: Apache-2.0

// Work that is due in the loop's next turn, once, however often it is asked for until then.
//
// For what comes by the hundred, and for what must not happen while its caller is still at work.
// The task group owns the coroutine: once it stops, nothing is done any more. It is joined before
// this is destroyed. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/task_group.hpp"

namespace berth::lifecycle {

class NextTurn {
 public:
  // `name`: of the task.
  NextTurn(TaskGroup& tasks, std::string name, std::function<void()> work);
  NextTurn(const NextTurn&) = delete;
  NextTurn& operator=(const NextTurn&) = delete;
  ~NextTurn() = default;

  void request();

 private:
  [[nodiscard]] boost::asio::awaitable<void> run();

  TaskGroup& tasks_;
  const std::string name_;
  const std::function<void()> work_;
  bool requested_ = false;
};

}  // namespace berth::lifecycle
