// SPDX-License-Identifier: Apache-2.0

// A call of the control API on the server's side: from its start until gRPC has reported its end.
// Loop thread only.
//
// A call with one answer only has finish. A streaming call has a few awaitables, used by one
// coroutine per direction:
//   write(reply)   true: handed over; false: the caller is gone
//   read()         the next request; std::nullopt: no more requests, or the caller is gone
//   finish(status) ends the call; after it nothing is written
// on_cancel reports that the caller went away. All awaitables honour cancellation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/serve/control_callers.hpp"
#include "base/grpc_queue.hpp"
#include "base/notification.hpp"

namespace berth::agent {

// The caller of a call.
class CallOfCaller {
 public:
  // Call once the call has begun.
  void attribute(const ControlCallers& callers) { call_ = callers.begun(context_.peer()); }
  // `std::nullopt` if the caller is gone.
  [[nodiscard]] std::optional<uid_t> user() const {
    return call_ ? std::optional(call_->user()) : std::nullopt;
  }

  // Whether the caller's user may leave this many more bytes unread.
  [[nodiscard]] bool may_answer(std::size_t bytes) { return !call_ || call_->may_answer(bytes); }

 protected:
  grpc::ServerContext context_{};

 private:
  std::unique_ptr<ControlCallers::Call> call_{};
};

// One answer. A pending operation's tag keeps the call alive.
template <class Request, class Reply>
class UnaryCall : public CallOfCaller,
                  public std::enable_shared_from_this<UnaryCall<Request, Reply>> {
 public:
  explicit UnaryCall(const boost::asio::any_io_executor& /*loop*/) {}

  Request request{};
  Reply reply{};

  void finish(const grpc::Status& status) {
    finished_.completed = [self = this->shared_from_this()](bool) {};
    if (!status.ok() || may_answer(reply.ByteSizeLong())) {
      wire_.Finish(reply, status, &finished_);
    } else {
      reply.Clear();
      wire_.FinishWithError({grpc::StatusCode::RESOURCE_EXHAUSTED,
                             "too many answers wait for this user to read them"},
                            &finished_);
    }
  }

  template <class Service, class Method>
  void ask(Service& service, Method method, grpc::ServerCompletionQueue* queue, GrpcTag* begun) {
    (service.*method)(&context_, &request, &wire_, queue, queue, begun);
  }

 private:
  grpc::ServerAsyncResponseWriter<Reply> wire_{&context_};
  GrpcTag finished_{};
};

// The writing half, for both kinds of streaming calls.
template <class Wire, class Reply>
class ReplyStream : public CallOfCaller,
                    public std::enable_shared_from_this<ReplyStream<Wire, Reply>> {
 public:
  explicit ReplyStream(boost::asio::any_io_executor loop) : written_(std::move(loop)) {
    context_.AsyncNotifyWhenDone(&over_);
  }

  // Sends the initial metadata, so that the caller sees that the call was accepted although there
  // may be nothing to send for long. The call's end is reported later, in any case.
  void begin() {
    over_.completed = [self = this->shared_from_this()](bool) { self->over(); };
    writing_ = true;
    taken_.completed = [self = this->shared_from_this()](bool ok) { self->wrote(ok); };
    wire_.SendInitialMetadata(&taken_);
  }

  // Adds to the initial metadata; call before `begin`.
  void promise(const char* key) { context_.AddInitialMetadata(key, "1"); }

  void on_cancel(std::function<void()> handler) {
    cancel_handler_ = std::move(handler);
    if (gone_ && cancel_handler_) cancel_handler_();
  }
  [[nodiscard]] bool gone() const { return gone_; }

  [[nodiscard]] boost::asio::awaitable<bool> write(Reply reply) {
    while (writing_ && !gone_) co_await written_.wait();
    if (gone_ || finished_) co_return false;
    writing_ = true;
    write_.completed = [self = this->shared_from_this()](bool ok) { self->wrote(ok); };
    wire_.Write(reply, &write_);
    // A write to a caller that is gone may stay under way until the connection ends.
    while (writing_ && !gone_) co_await written_.wait();
    co_return !gone_;
  }

  void finish(grpc::Status status) {
    if (finished_) return;
    finished_ = true;
    // Wait for a write under way: the caller may be slow. If it went away, the write fails.
    if (writing_) {
      final_status_ = std::move(status);
    } else {
      end(status);
    }
  }

 protected:
  Wire wire_{&context_};

 private:
  void wrote(bool ok) {
    writing_ = false;
    if (!ok) gone_ = true;
    written_.notify();
    if (final_status_) end(*std::exchange(final_status_, std::nullopt));
  }
  void end(const grpc::Status& status) {
    end_.completed = [self = this->shared_from_this()](bool) {};
    wire_.Finish(status, &end_);
  }
  void over() {
    const auto handler = std::exchange(cancel_handler_, {});
    if (!context_.IsCancelled()) return;
    gone_ = true;
    written_.notify();
    if (handler) handler();
  }

  GrpcTag over_{};
  GrpcTag taken_{};
  GrpcTag write_{};
  GrpcTag end_{};
  Notification written_;
  std::function<void()> cancel_handler_{};
  std::optional<grpc::Status> final_status_{};
  bool writing_ = false;
  bool gone_ = false;
  bool finished_ = false;
};

template <class Reply>
using ServerStream = ReplyStream<grpc::ServerAsyncWriter<Reply>, Reply>;

// One request, many replies.
template <class Request, class Reply>
class StreamCall final : public ServerStream<Reply> {
 public:
  using ServerStream<Reply>::ServerStream;

  Request request{};

  template <class Service, class Method>
  void ask(Service& service, Method method, grpc::ServerCompletionQueue* queue, GrpcTag* begun) {
    (service.*method)(&this->context_, &request, &this->wire_, queue, queue, begun);
  }
};

// Both directions.
template <class Request, class Reply>
class BidiStream final : public ReplyStream<grpc::ServerAsyncReaderWriter<Reply, Request>, Reply> {
 public:
  using Base = ReplyStream<grpc::ServerAsyncReaderWriter<Reply, Request>, Reply>;

  explicit BidiStream(const boost::asio::any_io_executor& loop) : Base(loop), arrived_(loop) {}

  [[nodiscard]] boost::asio::awaitable<std::optional<Request>> read() {
    if (input_over_ || this->gone()) co_return std::nullopt;
    reading_ = true;
    read_.completed = [this, self = this->shared_from_this()](bool ok) {
      reading_ = false;
      if (!ok) input_over_ = true;
      arrived_.notify();
    };
    this->wire_.Read(&request_, &read_);
    while (reading_) co_await arrived_.wait();
    if (input_over_) co_return std::nullopt;
    co_return std::move(request_);
  }

  template <class Service, class Method>
  void ask(Service& service, Method method, grpc::ServerCompletionQueue* queue, GrpcTag* begun) {
    (service.*method)(&this->context_, &this->wire_, queue, queue, begun);
  }

 private:
  GrpcTag read_{};
  Notification arrived_;
  Request request_{};
  bool reading_ = false;
  bool input_over_ = false;
};

// How to ask a generated `AsyncService` for the next call of a method; `Service` is the base class
// that has the method.
template <class Service, class Request, class Reply>
using UnaryRpc = void (Service::*)(grpc::ServerContext*, Request*,
                                   grpc::ServerAsyncResponseWriter<Reply>*, grpc::CompletionQueue*,
                                   grpc::ServerCompletionQueue*, void*);
template <class Service, class Request, class Reply>
using StreamRpc = void (Service::*)(grpc::ServerContext*, Request*, grpc::ServerAsyncWriter<Reply>*,
                                    grpc::CompletionQueue*, grpc::ServerCompletionQueue*, void*);
template <class Service, class Request, class Reply>
using BidiRpc = void (Service::*)(grpc::ServerContext*,
                                  grpc::ServerAsyncReaderWriter<Reply, Request>*,
                                  grpc::CompletionQueue*, grpc::ServerCompletionQueue*, void*);

// Accepts one call of a method after another, until the server is shut down and the last one is
// gone.
template <class Call, class Service, class Method, class Begin>
boost::asio::awaitable<void> accept_calls(boost::asio::any_io_executor loop, GrpcQueue& queue,
                                          Service& service, Method method, Begin begin) {
  std::size_t left = 0;
  Notification gone(loop);
  const auto let_go = [&left, &gone](Call* call) {
    std::default_delete<Call>()(call);
    --left;
    gone.notify();
  };
  bool taken = true;
  while (taken) {
    const std::shared_ptr<Call> call(std::make_unique<Call>(loop).release(), let_go);
    ++left;
    auto ask = [&](GrpcTag* begun) { call->ask(service, method, queue.get(), begun); };
    auto taking = grpc_operation(ask, [] {});
    taken = co_await std::move(taking);
    if (taken) begin(call);
  }
  while (left > 0) co_await gone.wait();
}

}  // namespace berth::agent
