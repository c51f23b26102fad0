// SPDX-License-Identifier: Apache-2.0

// The owner of coroutines.
//
// Every coroutine of berth is spawned by a task group: with a name, a cancellation signal and an
// owner that waits for its end. Stopping has a fixed order: refuse new work, cancel, join, destroy.
// Destroying a group that still has tasks is a bug and aborts.
//
// An exception other than cancellation that escapes a task is a bug; it is passed to the failure
// handler (the agent logs it and terminates; a test fails), never swallowed. Loop thread only.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace berth {

// Whether `failure` is the exception with which a cancelled task ends.
[[nodiscard]] bool is_cancellation(const std::exception_ptr& failure);

class TaskGroup {
 public:
  using FailureHandler = std::function<void(std::string_view task, std::exception_ptr failure)>;

  TaskGroup(boost::asio::any_io_executor executor, FailureHandler on_failure);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  // Starts `task` on the loop (not before the next turn). After request_stop it is dropped without
  // being started.
  void spawn(std::string name, boost::asio::awaitable<void> task);

  // Cancels every task and refuses new ones. Idempotent.
  void request_stop();

  // Completes when no task is left. Call request_stop first unless the tasks end by themselves. One
  // caller at a time. Cancelling the caller does not shorten the wait; a caller that is already
  // cancelled must reset its cancellation state first, or it cannot await at all.
  [[nodiscard]] boost::asio::awaitable<void> join();

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  // Names of running tasks, in the order in which they were spawned.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool stopping() const { return stopping_; }

 private:
  struct Task;
  struct Joiner;
  void finished(std::list<Task>::iterator task, std::exception_ptr failure);
  void erase(std::list<Task>::iterator task);

  boost::asio::any_io_executor executor_;
  FailureHandler on_failure_;
  std::list<Task> tasks_;
  bool stopping_ = false;
  std::unique_ptr<Joiner> joiner_;
};

}  // namespace berth
