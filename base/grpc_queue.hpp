// Where gRPC tells what has happened, and the one thread that waits there.
//
// An operation is begun on the loop with a tag, and its end is told on the loop: the thread only
// hops. It sleeps until something happens; gRPC's callback API would keep threads of its own that
// wake several times a second. One queue carries all calls of a program, those it makes and those
// it serves: the threads of several would wake one another for each other's sockets.
//
// Made and ended on the loop thread, the latter when every call over it has ended.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include <grpcpp/completion_queue.h>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/suspend.hpp"

namespace berth {

// What an operation is begun with. It stays where it is until `completed` is called, on the loop
// and once for each operation; `ok` is gRPC's: whether it was done.
struct GrpcTag {
  std::function<void(bool ok)> completed{};
};

class GrpcQueue {
 public:
  explicit GrpcQueue(boost::asio::any_io_executor loop);
  GrpcQueue(const GrpcQueue&) = delete;
  GrpcQueue& operator=(const GrpcQueue&) = delete;
  ~GrpcQueue();

  [[nodiscard]] grpc::ServerCompletionQueue* get() const { return queue_.get(); }

  // The one server whose calls come over this queue is built with it.
  [[nodiscard]] grpc::ServerBuilder& server_builder() { return *builder_; }

 private:
  void wait();

  boost::asio::any_io_executor loop_;
  std::unique_ptr<grpc::ServerBuilder> builder_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::jthread thread_;
};

// Begins an operation (`begin` is given its tag) and waits for its end; what is returned is its
// `ok`. Cancelled, it calls `cancel`, and still waits for the end.
template <class Begin, class Cancel>
boost::asio::awaitable<bool> grpc_operation(Begin begin, Cancel cancel) {
  struct Operation {
    GrpcTag tag{};
    Waiter waiter{};
    bool ok = false;
  };
  Operation operation;
  operation.tag.completed = [&operation](bool ok) {
    operation.ok = ok;
    operation.waiter.cancellation_slot().clear();  // what it would cancel may be gone soon
    std::move(operation.waiter)({});
  };
  auto start = [&operation, &begin, &cancel](Waiter waiter) {
    on_cancel(waiter, cancel);
    operation.waiter = std::move(waiter);
    begin(&operation.tag);
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
  co_return operation.ok;
}

}  // namespace berth
