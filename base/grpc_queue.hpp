// SPDX-License-Identifier: Apache-2.0

// gRPC's completion queue, and the single thread that waits on it.
//
// An operation starts on the loop with a tag, and its completion is reported on the loop: the
// thread only forwards it. The thread sleeps until an operation completes; gRPC's callback API
// would keep threads of its own that wake several times a second. One queue carries all calls of a
// program, both as client and as server: the threads of several queues would wake one another for
// each other's sockets.
//
// Created and destroyed on the loop thread; destroyed after every call on it has ended.
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

// Identifies an operation. Its address must stay valid until `completed` is called, on the loop,
// once per operation. `ok` is gRPC's: whether the operation succeeded.
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

  // The builder for the only server whose calls arrive over this queue.
  [[nodiscard]] grpc::ServerBuilder& server_builder() { return *builder_; }

 private:
  void wait();

  boost::asio::any_io_executor loop_;
  std::unique_ptr<grpc::ServerBuilder> builder_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::jthread thread_;
};

// Starts an operation (`begin` receives its tag), waits for its completion and returns its `ok`.
// When cancelled, it calls `cancel` and still waits for the completion.
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
    operation.waiter.cancellation_slot().clear();  // the target of `cancel` may be destroyed soon
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
