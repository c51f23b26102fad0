// SPDX-License-Identifier: Apache-2.0

// Runs blocking file work on a few threads beside the loop.
//
// `run` executes a function on the pool and resumes the coroutine on its own executor with the
// value. The function must not touch agent state: it takes and returns values. Cancelling does not
// interrupt a running function; its result is awaited. In a simulation the pool is inline: the
// function runs on the loop, so that a seed replays exactly.
//
// A file system can block a thread for ever (an unreachable server, FUSE). Work that has not
// returned ten seconds after a thread took it is stuck: it is reported, and another thread replaces
// the blocked one, so that nothing else waits for it. A process that terminates calls `give_up` and
// abandons the stuck work.
//
// Threads cannot be replaced for ever. Work on files that others provide, of which any number may
// be stuck at once, says so: it waits for its turn rather than take the last thread that is not
// stuck, or more than `kForeignAtMost` threads. Cancelling ends this wait.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"

namespace berth {

class BlockingPool {
 public:
  // Of the threads that there may be, half.
  static constexpr std::size_t kForeignAtMost = 16;
  enum class Files {
    kOwn,      // berthd's, the kernel's or systemd's
    kForeign,  // on whatever file system a pod or an operator names
  };
  struct Work {
    std::string what{};    // "reading the log FILE"
    SteadyTime since{};    // when a thread took it, or since when it has waited for its turn
    std::string behind{};  // the oldest work that it waits for; empty if a thread took it
  };
  // "reading the log FILE has not returned for 12 s: its file system or systemd does not answer",
  // or "… has waited for 12 s for its turn: WORK has not returned".
  [[nodiscard]] static std::string text(const Work& work, SteadyTime now);
  struct Options {
    unsigned threads = 0;                         // 0: inline, on the loop
    std::function<void(const Work&)> on_stuck{};  // on the loop, once per stuck work, and per work
                                                  // that has waited for so long behind it
  };

  BlockingPool(boost::asio::any_io_executor loop, Clock& clock, Options options);
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;
  // Waits for all work under way, but begins none that waits for its turn; after `give_up`, not for
  // the abandoned work, which continues by itself with the state it owns.
  ~BlockingPool();

  template <class T>
  boost::asio::awaitable<T> run(std::string what, std::function<T()> work,
                                Files files = Files::kOwn) {
    auto result = std::make_shared<std::optional<T>>();
    std::function<void()> job = [result, work = std::move(work)] { result->emplace(work()); };
    co_await execute(std::move(what), std::move(job), files);
    co_return std::move(**result);
  }

  // The same for a caller that does not wait: `done` gets the value on the loop, unless the pool
  // gives up or is destroyed before. `work` must not throw: nobody would catch it.
  template <class T>
  void start(std::string what, std::function<T()> work, std::function<void(T)> done) {
    auto result = std::make_shared<std::optional<T>>();
    std::function<void()> job = [result, work = std::move(work)] { result->emplace(work()); };
    begin(std::move(what), std::move(job),
          [result, done = std::move(done)] { done(std::move(**result)); });
  }

  // The stuck work, and what has waited behind it for as long. Loop thread only.
  [[nodiscard]] std::vector<Work> stuck() const;

  // Resumes every waiter, present and future, as if it were cancelled.
  void give_up();
  // The work that `give_up` abandoned: a thread may still be in the middle of it.
  [[nodiscard]] const std::vector<Work>& abandoned() const;

 private:
  boost::asio::awaitable<void> execute(std::string what, std::function<void()> job, Files files);
  void begin(std::string what, std::function<void()> job, std::function<void()> done);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
