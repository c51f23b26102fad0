// SPDX-License-Identifier: Apache-2.0

// The primitive under every wait: a coroutine suspends until another party resumes it.
//
// `suspend` passes the coroutine, as a Waiter, to the given function. The owner of the Waiter
// resumes the coroutine exactly once with `resume` (always through the loop's queue, never on the
// caller's stack), or destroys the Waiter, which destroys the coroutine. `on_cancel` sets what
// happens when the waiting coroutine is cancelled; it may run after the wait is over, so it must
// look up its target instead of assuming that it exists. Used by base/ alone: other code waits with
// what is built on it (Clock, Notification, TaskGroup, BlockingPool, the gRPC bridge).
#pragma once

#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

#include "base/assertion.hpp"

namespace berth {

// One suspended coroutine. (Asio 1.81's any_completion_handler, the obvious choice, recurses for
// ever in move assignment.)
class Waiter {
 public:
  Waiter() = default;
  template <class Handler>
  explicit Waiter(std::in_place_t, Handler handler)
      : held_(std::make_unique<HeldAs<Handler>>(std::move(handler))) {}

  [[nodiscard]] explicit operator bool() const { return held_ != nullptr; }
  [[nodiscard]] boost::asio::cancellation_slot cancellation_slot() const { return held_->slot(); }

  // On the loop thread only, and once.
  void operator()(boost::system::error_code outcome) && {
    assert_that(held_ != nullptr, "a waiter is resumed once");
    const auto held = std::move(held_);
    held->complete(outcome);
  }

 private:
  struct Held {
    Held() = default;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    virtual ~Held() = default;
    virtual void complete(boost::system::error_code outcome) = 0;
    [[nodiscard]] virtual boost::asio::cancellation_slot slot() const = 0;
  };
  template <class Handler>
  struct HeldAs final : Held {
    explicit HeldAs(Handler given) : handler(std::move(given)) {}
    void complete(boost::system::error_code outcome) override { std::move(handler)(outcome); }
    [[nodiscard]] boost::asio::cancellation_slot slot() const override {
      return boost::asio::get_associated_cancellation_slot(handler);
    }
    Handler handler;
  };

  std::unique_ptr<Held> held_;
};

// When the returned awaitable is awaited, `start` receives a Waiter, on the loop. An error passed
// to `resume` is thrown from the co_await as boost::system::system_error.
template <class Start>
[[nodiscard]] boost::asio::awaitable<void> suspend(Start start) {
  auto initiate = [start = std::move(start)](auto handler) mutable {
    start(Waiter(std::in_place, std::move(handler)));
  };
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                     void(boost::system::error_code)>(std::move(initiate),
                                                                      boost::asio::use_awaitable);
}

template <class Handler>
void on_cancel(const Waiter& waiter, Handler handler) {
  auto slot = waiter.cancellation_slot();
  if (!slot.is_connected()) return;
  slot.assign([handler = std::move(handler)](boost::asio::cancellation_type) mutable {
    auto once = handler;  // the slot may be reassigned while the handler runs
    once();
  });
}

// May be called from any thread.
inline void resume(const boost::asio::any_io_executor& loop, Waiter waiter,
                   boost::system::error_code outcome = {}) {
  boost::asio::post(
      loop, [waiter = std::move(waiter), outcome]() mutable { std::move(waiter)(outcome); });
}

}  // namespace berth
