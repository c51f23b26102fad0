// SPDX-License-Identifier: Apache-2.0

// Blocking work that may never return, such as querying a file system that does not answer: the
// caller waits for a limited time, and the work is not started again before it has returned.
//
// Its owner stops it before it is destroyed. Loop thread only; one caller at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/notification.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

template <class T>
class PatientWork {
 public:
  PatientWork(boost::asio::any_io_executor executor, Clock& clock, BlockingPool& pool,
              TaskGroup::FailureHandler on_failure)
      : clock_(clock), pool_(pool), returned_(executor), tasks_(executor, std::move(on_failure)) {}

  // Absent if it has not returned within `patience`, or if an earlier run still has not.
  [[nodiscard]] boost::asio::awaitable<std::optional<T>> run(std::string what,
                                                             std::function<T()> work,
                                                             Nanoseconds patience) {
    const SteadyTime until = clock_.steady_now() + patience;
    if (under_way_) co_return std::nullopt;
    under_way_ = true;
    result_.reset();
    tasks_.spawn(what, carry_out(what, std::move(work)));
    while (!result_ && clock_.steady_now() < until) co_await returned_.wait_until(clock_, until);
    co_return std::exchange(result_, std::nullopt);
  }

  // Returns, once, a result that came too late for its caller.
  [[nodiscard]] std::optional<T> collect_late_result() {
    return std::exchange(result_, std::nullopt);
  }

  [[nodiscard]] boost::asio::awaitable<void> stop() {
    tasks_.request_stop();
    co_await tasks_.join();
  }

 private:
  boost::asio::awaitable<void> carry_out(std::string what, std::function<T()> work) {
    T result = co_await pool_.run(std::move(what), std::move(work));
    result_.emplace(std::move(result));
    under_way_ = false;
    returned_.notify();
  }

  Clock& clock_;
  BlockingPool& pool_;
  bool under_way_ = false;
  std::optional<T> result_{};
  Notification returned_;
  TaskGroup tasks_;
};

}  // namespace berth::agent
