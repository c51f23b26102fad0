// SPDX-License-Identifier: Apache-2.0

#include "base/task_group.hpp"

#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "base/assertion.hpp"
#include "base/suspend.hpp"

namespace berth {
namespace {

// co_spawn alone would run the task up to its first wait on the caller's stack.
boost::asio::awaitable<void> from_next_turn(boost::asio::any_io_executor executor,
                                            boost::asio::awaitable<void> task) {
  co_await boost::asio::post(executor, boost::asio::use_awaitable);
  co_await std::move(task);
}

}  // namespace

bool is_cancellation(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const boost::system::system_error& error) {
    return error.code() == boost::asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

struct TaskGroup::Task {
  explicit Task(std::string task_name) : name(std::move(task_name)) {}

  std::string name;
  boost::asio::cancellation_signal stop{};
  bool ended = false;
};

struct TaskGroup::Joiner {
  Waiter waiter;
};

TaskGroup::TaskGroup(boost::asio::any_io_executor executor, FailureHandler on_failure)
    : executor_(std::move(executor)), on_failure_(std::move(on_failure)) {}

TaskGroup::~TaskGroup() {
  if (tasks_.empty()) return;
  assert_that(false, "a task group outlives its tasks", tasks_.front().name);
}

void TaskGroup::spawn(std::string name, boost::asio::awaitable<void> task) {
  if (stopping_) return;
  tasks_.emplace_back(std::move(name));
  const auto self = std::prev(tasks_.end());
  // The end is handled in a turn of its own: the coroutine is still on the stack here, and its
  // cancellation state lives inside the signal that is destroyed with the task.
  auto ended = [this, self](std::exception_ptr failure) {
    boost::asio::post(executor_, [this, self, failure] { finished(self, failure); });
  };
  // On the loop: a task that is cancelled before it has started would throw where nothing catches
  // it.
  boost::asio::dispatch(executor_, [this, self, task = std::move(task),
                                    ended = std::move(ended)]() mutable {
    if (stopping_) return finished(self, nullptr);
    boost::asio::co_spawn(executor_, from_next_turn(executor_, std::move(task)),
                          boost::asio::bind_cancellation_slot(self->stop.slot(), std::move(ended)));
  });
}

void TaskGroup::request_stop() {
  if (stopping_) return;
  stopping_ = true;
  for (auto& task : tasks_) {
    if (!task.ended) task.stop.emit(boost::asio::cancellation_type::all);
  }
}

boost::asio::awaitable<void> TaskGroup::join() {
  const bool throws = co_await boost::asio::this_coro::throw_if_cancelled();
  co_await boost::asio::this_coro::throw_if_cancelled(false);
  while (!tasks_.empty()) {
    auto start = [this](Waiter waiter) {
      assert_that(!joiner_, "one caller joins a task group at a time");
      joiner_ = std::make_unique<Joiner>();
      joiner_->waiter = std::move(waiter);
    };
    auto suspended = suspend(std::move(start));
    co_await std::move(suspended);
  }
  co_await boost::asio::this_coro::throw_if_cancelled(throws);
}

std::vector<std::string> TaskGroup::names() const {
  std::vector<std::string> names;
  names.reserve(tasks_.size());
  for (const auto& task : tasks_)
    if (!task.ended) names.push_back(task.name);
  return names;
}

void TaskGroup::finished(std::list<Task>::iterator task, std::exception_ptr failure) {
  // Asio forwards a cancellation signalled outside the loop through the loop's queue. So no signal
  // is emitted from here on, and the task is destroyed after those already queued.
  task->ended = true;
  if (failure && !is_cancellation(failure)) on_failure_(task->name, failure);
  if (!stopping_) return erase(task);  // no cancellation was signalled
  boost::asio::post(executor_, [this, task] { erase(task); });
}

void TaskGroup::erase(std::list<Task>::iterator task) {
  tasks_.erase(task);
  if (!tasks_.empty() || !joiner_) return;
  auto joiner = std::move(joiner_);
  resume(executor_, std::move(joiner->waiter));
}

}  // namespace berth
