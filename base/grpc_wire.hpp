// SPDX-License-Identifier: Apache-2.0

// gRPC over HTTP/2, as values: message framing, time limits, and the headers at the end of a call.
// (Source: gRPC's "PROTOCOL-HTTP2".)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <grpcpp/support/status.h>

#include "base/clock_types.hpp"

namespace berth {

// `message` with its five-byte prefix.
[[nodiscard]] std::string framed(std::string_view message);

// Splits a byte stream into messages.
class MessageReader {
 public:
  explicit MessageReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void take(std::string_view bytes);
  // `std::nullopt` if the next message is incomplete or cannot be read.
  [[nodiscard]] std::optional<std::string> next();
  // Why nothing more can be read; unset while the stream is readable.
  [[nodiscard]] const std::optional<grpc::Status>& failure() const { return failure_; }
  [[nodiscard]] bool inside() const { return at_ < bytes_.size(); }  // inside an incomplete message

 private:
  std::size_t bytes_max_;
  std::string bytes_;
  std::size_t at_ = 0;  // bytes before it are consumed; erased once they are the larger part
  std::optional<grpc::Status> failure_;
};

// "grpc-timeout": at most 8 digits and a unit.
[[nodiscard]] std::string timeout_text(Nanoseconds limit);

// What a server reports in its headers at the end of a call, or instead of an answer. Anything
// unreadable counts as failure.
struct EndOfCall {
  int http_status = 0;  // 0: not sent
  std::optional<std::string> content_type{};
  std::optional<std::string> grpc_status{};  // sent twice: both, joined by a comma
  std::string grpc_message{};                // percent-encoded
};
[[nodiscard]] grpc::Status status_of(const EndOfCall& end);

// The status of a stream that was reset before it ended, from HTTP/2's error code.
[[nodiscard]] grpc::Status status_of_reset(std::uint32_t error_code);

}  // namespace berth
