// Where blocking file work goes: a few threads beside the loop.
//
// `run` executes a function there and resumes the coroutine on its own executor with the value.
// The function must not touch agent state: it takes and returns values. Cancelling does not
// interrupt a function that runs; its result is awaited. In a simulation the pool is inline:
// the function runs on the loop, so that a seed replays exactly.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace berth {

class BlockingPool {
 public:
  // threads = 0: inline, on the loop.
  BlockingPool(boost::asio::any_io_executor loop, unsigned threads);
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;
  ~BlockingPool();

  template <class T>
  boost::asio::awaitable<T> run(std::function<T()> work) {
    auto result = std::make_shared<std::optional<T>>();
    std::function<void()> job = [result, work = std::move(work)] { result->emplace(work()); };
    co_await execute(std::move(job));
    co_return std::move(**result);
  }

 private:
  boost::asio::awaitable<void> execute(std::function<void()> job);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
