// One gRPC call, awaited on our loop.
//
// Everything belongs to the loop thread: the request, the reply, gRPC's context and reactor are
// made and destroyed there. On gRPC's own threads nothing happens but the hop back. Cancelling the
// awaiting coroutine cancels the call (TryCancel) and still waits for its end, so that nothing of
// it is left; the result is then kCancelled, as a value. The loop and the channel must outlive the
// call, so both end only after the task group that calls has been joined.
//
// Usage: auto reply = co_await unary_call("Version", stub.async(), &Rpc::Version, request, 2min);
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>
#include <boost/asio/this_coro.hpp>

#include "base/clock_types.hpp"
#include "base/grpc_status.hpp"
#include "base/result.hpp"
#include "base/suspend.hpp"

namespace berth {

// Allowed from now; kept by gRPC. None: as long as it takes.
void set_time_limit(grpc::ClientContext& context, std::optional<Nanoseconds> limit);

// The reactor forms of a generated `StubInterface::async_interface`.
template <class Stub, class Request, class Reply>
using UnaryMethod = void (Stub::*)(grpc::ClientContext*, const Request*, Reply*,
                                   grpc::ClientUnaryReactor*);

namespace detail {

template <class Request, class Reply>
class UnaryCall final : public grpc::ClientUnaryReactor {
 public:
  UnaryCall(boost::asio::any_io_executor loop, Request asked)
      : loop_(std::move(loop)), request(std::move(asked)) {}

  template <class Stub>
  static void start(std::shared_ptr<UnaryCall> call, Stub* stub,
                    UnaryMethod<Stub, Request, Reply> method, Waiter waiter) {
    on_cancel(waiter, [weak = std::weak_ptr(call)] {
      if (const auto alive = weak.lock()) alive->context.TryCancel();
    });
    call->waiter_ = std::move(waiter);
    call->self_ = call;
    (stub->*method)(&call->context, &call->request, &call->reply, call.get());
    call->StartCall();
  }

  void OnDone(const grpc::Status& outcome) override {  // on a gRPC thread
    status = outcome;
    const auto loop = loop_;  // the call may be gone before post returns
    boost::asio::post(loop, [call = std::move(self_)] { std::move(call->waiter_)({}); });
  }

 private:
  boost::asio::any_io_executor loop_;
  Waiter waiter_;
  std::shared_ptr<UnaryCall> self_;  // until OnDone

 public:
  Request request;
  Reply reply;
  grpc::ClientContext context;
  grpc::Status status;
};

}  // namespace detail

// For who must tell more codes apart than ErrorCode has.
template <class Reply>
struct UnaryOutcome {
  grpc::Status status{};
  Reply reply{};
};

template <class Stub, class Request, class Reply>
boost::asio::awaitable<UnaryOutcome<Reply>> unary_outcome(std::type_identity_t<Stub>* stub,
                                                          UnaryMethod<Stub, Request, Reply> method,
                                                          std::type_identity_t<Request> request,
                                                          std::optional<Nanoseconds> limit) {
  if (limit && *limit <= Nanoseconds::zero()) {
    co_return UnaryOutcome<Reply>{.status = grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED,
                                                         "no time is left for the call")};
  }
  auto loop = co_await boost::asio::this_coro::executor;
  auto call =
      std::make_shared<detail::UnaryCall<Request, Reply>>(std::move(loop), std::move(request));
  set_time_limit(call->context, limit);
  auto start = [call, stub, method](Waiter waiter) {
    detail::UnaryCall<Request, Reply>::start(call, stub, method, std::move(waiter));
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
  co_return UnaryOutcome<Reply>{.status = call->status, .reply = std::move(call->reply)};
}

template <class Stub, class Request, class Reply>
boost::asio::awaitable<Result<Reply>> unary_call(std::string name, std::type_identity_t<Stub>* stub,
                                                 UnaryMethod<Stub, Request, Reply> method,
                                                 std::type_identity_t<Request> request,
                                                 std::optional<Nanoseconds> limit) {
  auto calling = unary_outcome(stub, method, std::move(request), limit);
  auto outcome = co_await std::move(calling);
  if (!outcome.status.ok()) co_return fail(to_error(name, outcome.status));
  co_return std::move(outcome.reply);
}

}  // namespace berth
