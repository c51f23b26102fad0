// gRPC's words on HTTP/2, as values: how messages are framed, how a time limit is written, what the
// headers at the end of a call say. (gRPC's own "PROTOCOL-HTTP2" is the source of it all.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <grpcpp/support/status.h>

#include "base/clock_types.hpp"

namespace berth {

// With its five bytes before it.
[[nodiscard]] std::string framed(std::string_view message);

// Cuts a byte stream into messages.
class MessageReader {
 public:
  explicit MessageReader(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void take(std::string_view bytes);
  // None: the next one is not complete yet, or cannot be read.
  [[nodiscard]] std::optional<std::string> next();
  // Why nothing more can be read; none: it goes on.
  [[nodiscard]] const std::optional<grpc::Status>& failure() const { return failure_; }
  [[nodiscard]] bool inside() const { return at_ < bytes_.size(); }  // of an incomplete message

 private:
  std::size_t bytes_max_;
  std::string bytes_;
  std::size_t at_ = 0;  // what stands before it was read; taken out when it is the larger part
  std::optional<grpc::Status> failure_;
};

// "grpc-timeout": 8 digits at most, and a unit.
[[nodiscard]] std::string timeout_text(Nanoseconds limit);

// What a server says at the end, or instead of an answer, as it stands in its headers. Whatever
// cannot be read is no success.
struct EndOfCall {
  int http_status = 0;  // 0: said nothing
  std::optional<std::string> content_type{};
  std::optional<std::string> grpc_status{};  // one that comes twice: both, with a comma between
  std::string grpc_message{};                // percent-encoded
};
[[nodiscard]] grpc::Status status_of(const EndOfCall& end);

// A stream that was reset before it ended, by HTTP/2's error code.
[[nodiscard]] grpc::Status status_of_reset(std::uint32_t error_code);

}  // namespace berth
