// SPDX-License-Identifier: Apache-2.0

#include "control/status_code.hpp"

#include <cstddef>
#include <string>

#include "base/grpc_status.hpp"
#include "base/text.hpp"

namespace berth::control {
namespace {

// gRPC accepts 8 KiB of headers, in which one byte of a message may take three, and drops the whole
// answer if there is more; a runtime's or a caller's text may be longer.
constexpr std::size_t kMessageMax = 2000;

std::string shortened(const std::string& message) {
  if (message.size() <= kMessageMax) return message;
  return std::string(first_bytes(message, kMessageMax)) + "...";
}

}  // namespace

grpc::Status to_status(const Error& error) {
  const auto code = [&] {
    switch (error.code) {
      case ErrorCode::kNotFound:
        return grpc::StatusCode::NOT_FOUND;
      case ErrorCode::kAlreadyExists:
        return grpc::StatusCode::ALREADY_EXISTS;
      case ErrorCode::kInvalid:
        return grpc::StatusCode::INVALID_ARGUMENT;
      case ErrorCode::kUnavailable:
        return grpc::StatusCode::UNAVAILABLE;
      case ErrorCode::kTimeout:
        return grpc::StatusCode::DEADLINE_EXCEEDED;
      case ErrorCode::kCancelled:
        return grpc::StatusCode::CANCELLED;
      case ErrorCode::kUnimplemented:
        return grpc::StatusCode::UNIMPLEMENTED;
      case ErrorCode::kPermission:
        return grpc::StatusCode::PERMISSION_DENIED;
      case ErrorCode::kUnknown:
        return grpc::StatusCode::UNKNOWN;
    }
    return grpc::StatusCode::UNKNOWN;
  }();
  return {code, shortened(error.message)};
}

Error to_error(const grpc::Status& status) {
  const grpc::StatusCode code = status.error_code();
  return {.code = code == grpc::StatusCode::FAILED_PRECONDITION ? ErrorCode::kInvalid
                                                                : error_code(code),
          .message = status.error_message()};
}

}  // namespace berth::control
