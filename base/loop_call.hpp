// SPDX-License-Identifier: Apache-2.0

// Typed calls over a LoopChannel, for coroutines to await.
//
// Cancelling the awaiting coroutine ends the call, here and on the server; the result is then
// kCancelled, as a value. A call that runs out of time is kTimeout. Loop thread only; the channel
// outlives the call.
//
// Usage: auto reply = co_await loop_call<Reply>(channel, "/pkg.Service/Version", request, 2min);
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/grpc_status.hpp"
#include "base/loop_channel.hpp"
#include "base/result.hpp"

namespace berth {

// "Version" for "/pkg.Service/Version": the call's name in errors.
[[nodiscard]] inline std::string method_name(const std::string& method) {
  return method.substr(method.rfind('/') + 1);
}

namespace detail {

// Ends the call when its owner is destroyed.
struct OwnedCall {
  std::shared_ptr<LoopCall> call;

  explicit OwnedCall(std::shared_ptr<LoopCall> begun) : call(std::move(begun)) {}
  OwnedCall(const OwnedCall&) = delete;
  OwnedCall& operator=(const OwnedCall&) = delete;
  ~OwnedCall() { call->cancel(); }
  LoopCall* operator->() const { return call.get(); }
};

}  // namespace detail

template <class Reply, class Request>
boost::asio::awaitable<Result<Reply>> loop_call(LoopChannel& channel, std::string method,
                                                Request request, std::optional<Nanoseconds> limit) {
  if (limit && *limit <= Nanoseconds::zero()) {
    const grpc::Status late{grpc::StatusCode::DEADLINE_EXCEEDED, "context deadline exceeded"};
    co_return fail(to_error(method_name(method), late));
  }
  const detail::OwnedCall call{channel.start(method, request.SerializeAsString(), limit)};
  std::optional<std::string> answer;
  while (auto message = co_await call->next()) {
    if (answer) {
      call->cancel();
      co_return fail(ErrorCode::kUnknown, method_name(method) + ": the server answered twice");
    }
    answer = std::move(message);
  }
  if (!call->status().ok()) co_return fail(to_error(method_name(method), call->status()));
  Reply reply;
  if (!answer || !reply.ParseFromString(*answer)) {
    co_return fail(ErrorCode::kUnknown, method_name(method) + ": the answer cannot be read");
  }
  co_return reply;
}

// A stream of messages, read one by one; a slow reader slows the server down. It has no deadline.
template <class Message>
class LoopStream {
 public:
  template <class Request>
  LoopStream(LoopChannel& channel, std::string method, const Request& request)
      : name_(method_name(method)),
        call_(channel.start(method, request.SerializeAsString(), std::nullopt)) {}
  LoopStream(const LoopStream&) = delete;
  LoopStream& operator=(const LoopStream&) = delete;

  // Once the stream has ended, returns an error (kUnavailable if the server ended it properly),
  // always the same one. One reader at a time.
  boost::asio::awaitable<Result<Message>> read() {
    const auto bytes = co_await call_->next();
    if (bytes) {
      Message message;
      if (message.ParseFromString(*bytes)) co_return message;
      call_->cancel();
      co_return fail(ErrorCode::kUnknown, name_ + ": a message cannot be read");
    }
    if (!call_->status().ok()) co_return fail(to_error(name_, call_->status()));
    co_return fail(ErrorCode::kUnavailable, name_ + ": the server ended the stream");
  }

  // Whether the server ended the stream, with success. Valid once a read has returned an error.
  [[nodiscard]] bool ended_properly() const { return call_->status().ok(); }

  // Ends the stream; a pending read returns kCancelled.
  void cancel() { call_->cancel(); }

 private:
  std::string name_;
  detail::OwnedCall call_;
};

}  // namespace berth
