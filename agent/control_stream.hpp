// One streaming call of the control API, between gRPC's threads and our loop.
//
// A reactor lives from the call's beginning to gRPC's OnDone; every reaction hops onto the loop and
// does nothing else. The loop's side is a few awaitables used by one coroutine a direction:
//   write(reply)   true: handed over; false: the caller is gone
//   read()         the next request; none: the caller sends no more, or is gone
//   finish(status) ends the call; after it nothing is written
// on_cancel tells when the caller went away. What is awaited honours cancellation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <grpcpp/support/server_callback.h>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>

#include "base/notification.hpp"

namespace berth::agent {

// The half that writes, for both kinds of reactor.
template <class Reactor, class Reply>
class ReplyStream : public Reactor {
 public:
  explicit ReplyStream(boost::asio::any_io_executor loop)
      : loop_(std::move(loop)), written_(loop_) {}

  // Before the reactor is given to gRPC: it lives until OnDone.
  void hold(std::shared_ptr<ReplyStream> self) { self_ = std::move(self); }

  void on_cancel(std::function<void()> handler) {
    cancel_handler_ = std::move(handler);
    if (gone_ && cancel_handler_) cancel_handler_();
  }
  [[nodiscard]] bool gone() const { return gone_; }

  [[nodiscard]] boost::asio::awaitable<bool> write(Reply reply) {
    if (gone_ || finished_) co_return false;
    reply_ = std::move(reply);
    writing_ = true;
    this->StartWrite(&reply_);
    while (writing_) co_await written_.wait();
    co_return !gone_;
  }

  void finish(grpc::Status status) {
    if (finished_) return;
    finished_ = true;
    // A write under way is waited for: the caller may be slow. If it went away, the write fails.
    if (writing_) {
      final_status_ = std::move(status);
    } else {
      this->Finish(std::move(status));
    }
  }

 protected:
  // Runs `action` on the loop, with the reactor alive.
  template <class Action>
  void hop(Action action) {
    boost::asio::post(loop_, [self = self_, action = std::move(action)]() mutable { action(); });
  }

  boost::asio::any_io_executor loop_;

 private:
  void OnWriteDone(bool ok) final {
    hop([this, ok] {
      writing_ = false;
      if (!ok) gone_ = true;
      written_.notify();
      if (final_status_) this->Finish(*std::exchange(final_status_, std::nullopt));
    });
  }
  void OnCancel() final {
    hop([this] {
      gone_ = true;
      if (cancel_handler_) cancel_handler_();
    });
  }
  void OnDone() final {
    // The last owner must not die on gRPC's thread: its members belong to the loop.
    auto self = std::move(self_);
    const auto loop = loop_;
    boost::asio::post(loop, [self = std::move(self)]() mutable { self->cancel_handler_ = {}; });
  }

  Notification written_;
  std::shared_ptr<ReplyStream> self_{};
  std::function<void()> cancel_handler_{};
  Reply reply_{};
  std::optional<grpc::Status> final_status_{};
  bool writing_ = false;
  bool gone_ = false;
  bool finished_ = false;
};

template <class Reply>
using ServerStream = ReplyStream<grpc::ServerWriteReactor<Reply>, Reply>;

// Both directions.
template <class Request, class Reply>
class BidiStream final : public ReplyStream<grpc::ServerBidiReactor<Request, Reply>, Reply> {
 public:
  using Base = ReplyStream<grpc::ServerBidiReactor<Request, Reply>, Reply>;

  explicit BidiStream(boost::asio::any_io_executor loop)
      : Base(std::move(loop)), arrived_(this->loop_) {}

  [[nodiscard]] boost::asio::awaitable<std::optional<Request>> read() {
    if (input_over_ || this->gone()) co_return std::nullopt;
    reading_ = true;
    this->StartRead(&request_);
    while (reading_) co_await arrived_.wait();
    if (input_over_) co_return std::nullopt;
    co_return std::move(request_);
  }

 private:
  void OnReadDone(bool ok) override {
    this->hop([this, ok] {
      reading_ = false;
      if (!ok) input_over_ = true;
      arrived_.notify();
    });
  }

  Notification arrived_;
  Request request_{};
  bool reading_ = false;
  bool input_over_ = false;
};

}  // namespace berth::agent
