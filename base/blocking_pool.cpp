#include "base/blocking_pool.hpp"

#include <exception>

#include <boost/asio/thread_pool.hpp>

#include "base/suspend.hpp"

namespace berth {
namespace {

std::exception_ptr run_catching(const std::function<void()>& job) {
  try {
    job();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

struct BlockingPool::Impl {
  explicit Impl(boost::asio::any_io_executor executor) : loop(std::move(executor)) {}

  boost::asio::any_io_executor loop;
  std::optional<boost::asio::thread_pool> threads{};  // none: inline
};

BlockingPool::BlockingPool(boost::asio::any_io_executor loop, unsigned threads)
    : impl_(std::make_unique<Impl>(std::move(loop))) {
  if (threads > 0) impl_->threads.emplace(threads);
}

BlockingPool::~BlockingPool() {
  if (impl_->threads) impl_->threads->join();
}

boost::asio::awaitable<void> BlockingPool::execute(std::function<void()> job) {
  auto failure = std::make_shared<std::exception_ptr>();
  auto start = [impl = impl_.get(), failure, job = std::move(job)](Waiter waiter) mutable {
    auto work = [impl, failure, job = std::move(job), waiter = std::move(waiter)]() mutable {
      *failure = run_catching(job);
      job = nullptr;  // what it holds ends on the thread that used it
      resume(impl->loop, std::move(waiter));
    };
    if (impl->threads) {
      boost::asio::post(*impl->threads, std::move(work));
    } else {
      boost::asio::post(impl->loop, std::move(work));
    }
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
  if (*failure) std::rethrow_exception(*failure);
}

}  // namespace berth
