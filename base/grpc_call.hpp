// SPDX-License-Identifier: Apache-2.0

// One gRPC call, awaited on our loop.
//
// Everything belongs to the loop thread and the calling coroutine; the end of the call arrives
// through the queue (base/grpc_queue.hpp). Cancelling the coroutine cancels the call (TryCancel)
// and still waits for its end, so that nothing of it is left; the status is then CANCELLED, as a
// value. The queue and the channel must outlive the call: destroy both only after joining the task
// group that calls.
//
// Usage: auto outcome = co_await unary_outcome(service, &Rpc::PrepareAsyncCheck, request, 2s);
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <grpcpp/client_context.h>
#include <grpcpp/support/async_unary_call.h>

#include "base/clock_types.hpp"
#include "base/grpc_queue.hpp"

namespace berth {

// The limit counts from now and is enforced by gRPC. Unset means no limit.
void set_time_limit(grpc::ClientContext& context, std::optional<Nanoseconds> limit);

// A service as its caller holds it: the stub, and the queue for its calls. For a generated service,
// the stub is its `StubInterface`.
template <class Stub>
struct GrpcService {
  GrpcQueue* queue = nullptr;
  std::unique_ptr<Stub> stub{};
};

template <class Stub, class Request, class Reply>
using UnaryMethod = std::unique_ptr<grpc::ClientAsyncResponseReaderInterface<Reply>> (Stub::*)(
    grpc::ClientContext*, const Request&, grpc::CompletionQueue*);

template <class Reply>
struct UnaryOutcome {
  grpc::Status status{};
  Reply reply{};
};

template <class Stub, class Request, class Reply>
boost::asio::awaitable<UnaryOutcome<Reply>> unary_outcome(
    const GrpcService<std::type_identity_t<Stub>>& service,
    UnaryMethod<Stub, Request, Reply> method, std::type_identity_t<Request> request,
    std::optional<Nanoseconds> limit) {
  UnaryOutcome<Reply> outcome;
  if (limit && *limit <= Nanoseconds::zero()) {
    outcome.status =
        grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "no time is left for the call");
    co_return outcome;
  }
  grpc::ClientContext context;
  set_time_limit(context, limit);
  const auto call = (service.stub.get()->*method)(&context, request, service.queue->get());
  auto begin = [&](GrpcTag* tag) {
    call->StartCall();
    call->Finish(&outcome.reply, &outcome.status, tag);
  };
  auto cancel = [&context] { context.TryCancel(); };
  auto ending = grpc_operation(begin, cancel);
  const bool done = co_await std::move(ending);
  if (!done && outcome.status.ok()) {
    // `reply` holds whatever was parsed before the failure; it must not be used.
    outcome.status =
        grpc::Status(grpc::StatusCode::INTERNAL, "grpc: failed to unmarshal the received message");
  }
  co_return outcome;
}

}  // namespace berth
