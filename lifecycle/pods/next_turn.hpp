// SPDX-License-Identifier: Apache-2.0

// Work that runs once in the loop's next turn, however often it is requested until then.
//
// For requests that arrive by the hundred, and for work that must not run while its caller is still
// active. The task group owns the coroutine: once the group stops, no work runs any more. It is
// joined before this object is destroyed. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/task_group.hpp"

namespace berth::lifecycle {

class NextTurn {
 public:
  // `name`: the task's name.
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
