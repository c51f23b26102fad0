// SPDX-License-Identifier: Apache-2.0

// Work that mostly takes less time than waking a thread for it, such as reading small files of the
// kernel: it runs on the loop, and on the pool while it takes longer.
//
// The duration of the last run decides where the next one runs, so that slow work blocks the loop
// once, and not again until it was quick on the pool. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"

namespace berth::agent {

class QuickWork {
 public:
  // A twentieth of what a probe may be late (tests/bench/README.md): a loop that is blocked for so
  // long goes unnoticed.
  static constexpr Nanoseconds kQuick = std::chrono::milliseconds(1);

  QuickWork(Clock& clock, BlockingPool& pool) : clock_(clock), pool_(pool) {}

  template <class T>
  [[nodiscard]] boost::asio::awaitable<T> run(std::string what, std::function<T()> work) {
    const auto took = std::make_shared<Nanoseconds>();
    std::function<T()> timed = [took, &clock = clock_, work = std::move(work)] {
      const SteadyTime began = clock.steady_now();
      T result = work();
      *took = clock.steady_now() - began;
      return result;
    };
    if (took_ > kQuick) {
      T result = co_await pool_.run(std::move(what), std::move(timed));
      took_ = *took;
      co_return result;
    }
    T result = timed();
    took_ = *took;
    co_return result;
  }

 private:
  Clock& clock_;
  BlockingPool& pool_;
  Nanoseconds took_{};  // by the last run
};

}  // namespace berth::agent
