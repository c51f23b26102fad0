// A stream of messages from a gRPC server, read one by one on our loop.
//
// Each message is asked for by `read`, so a slow reader slows the server instead of filling our
// memory. Ownership and threads are as for a unary call (base/grpc_call.hpp): objects live and die
// on the loop, gRPC's threads only hop, cancelling ends the stream and waits for its end. A stream
// has no deadline.
//
// `read` must have returned an error before the loop or the channel ends. So that a cancelled
// reader can see that, it runs with this_coro::throw_if_cancelled(false): a read begun after the
// cancellation then ends the stream like one that was cancelled.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>
#include <boost/asio/this_coro.hpp>

#include "base/grpc_status.hpp"
#include "base/result.hpp"
#include "base/suspend.hpp"

namespace berth {

template <class Stub, class Request, class Message>
using StreamMethod = void (Stub::*)(grpc::ClientContext*, const Request*,
                                    grpc::ClientReadReactor<Message>*);

namespace detail {

template <class Request, class Message>
class ReadCall final : public grpc::ClientReadReactor<Message> {
 public:
  ReadCall(boost::asio::any_io_executor loop, Request asked)
      : request(std::move(asked)), loop_(std::move(loop)) {}

  template <class Stub>
  static void start(const std::shared_ptr<ReadCall>& call, Stub* stub,
                    StreamMethod<Stub, Request, Message> method) {
    call->self_ = call;
    (stub->*method)(&call->context, &call->request, call.get());
    call->AddHold();  // reads are started from the loop: the call must not end between them
    call->StartCall();
  }

  static void read(const std::shared_ptr<ReadCall>& call, Waiter waiter) {
    on_cancel(waiter, [weak = std::weak_ptr(call)] {
      if (const auto alive = weak.lock()) alive->context.TryCancel();
    });
    call->waiter_ = std::move(waiter);
    call->StartRead(&call->message);
  }

  // On gRPC's threads. A read that failed is the last: its waiter is resumed by OnDone.
  void OnReadDone(bool ok) override {
    if (!ok) return this->RemoveHold();
    const auto loop = loop_;  // the call may be gone before post returns
    boost::asio::post(loop, [call = self_] { std::move(call->waiter_)({}); });
  }
  void OnDone(const grpc::Status& outcome) override {
    const auto loop = loop_;
    boost::asio::post(loop, [call = std::move(self_), outcome] {
      call->ended = true;
      call->status = outcome;
      if (call->waiter_) std::move(call->waiter_)({});
    });
  }

  // Nobody reads any more, and no read is under way.
  void abandon() {
    context.TryCancel();
    this->RemoveHold();
  }

  Request request;
  Message message;
  grpc::ClientContext context;
  grpc::Status status;
  bool ended = false;

 private:
  boost::asio::any_io_executor loop_;
  Waiter waiter_;
  std::shared_ptr<ReadCall> self_;  // until OnDone
};

}  // namespace detail

template <class Request, class Message>
class GrpcReadStream {
 public:
  template <class Stub>
  GrpcReadStream(boost::asio::any_io_executor loop, std::string name,
                 std::type_identity_t<Stub>* stub, StreamMethod<Stub, Request, Message> method,
                 Request request)
      : name_(std::move(name)), call_(std::make_shared<Call>(std::move(loop), std::move(request))) {
    Call::start(call_, stub, method);
  }
  GrpcReadStream(const GrpcReadStream&) = delete;
  GrpcReadStream& operator=(const GrpcReadStream&) = delete;
  ~GrpcReadStream() {
    if (!call_->ended) call_->abandon();
  }

  // The next message; an error once the stream has ended (kUnavailable if the server ended it
  // properly), and from then on the same one. One reader.
  boost::asio::awaitable<Result<Message>> read() {
    const auto cancellation = co_await boost::asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != boost::asio::cancellation_type::none) cancel();
    if (!call_->ended) {
      auto start = [call = call_](Waiter waiter) { Call::read(call, std::move(waiter)); };
      auto suspended = suspend(std::move(start));
      co_await std::move(suspended);
    }
    if (!call_->ended) co_return std::move(call_->message);
    if (!call_->status.ok()) co_return fail(to_error(name_, call_->status));
    co_return fail(ErrorCode::kUnavailable, name_ + ": the server ended the stream");
  }

  // Ends the stream; a read under way returns kCancelled.
  void cancel() { call_->context.TryCancel(); }

 private:
  using Call = detail::ReadCall<Request, Message>;

  std::string name_;
  std::shared_ptr<Call> call_;
};

}  // namespace berth
