// SPDX-License-Identifier: Apache-2.0

#include "control/status_code.hpp"

#include <cstddef>
#include <string>

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
  const auto code = [&] {
    switch (status.error_code()) {
      case grpc::StatusCode::NOT_FOUND:
        return ErrorCode::kNotFound;
      case grpc::StatusCode::ALREADY_EXISTS:
        return ErrorCode::kAlreadyExists;
      case grpc::StatusCode::INVALID_ARGUMENT:
      case grpc::StatusCode::FAILED_PRECONDITION:
      case grpc::StatusCode::OUT_OF_RANGE:
        return ErrorCode::kInvalid;
      case grpc::StatusCode::UNAVAILABLE:
        return ErrorCode::kUnavailable;
      case grpc::StatusCode::DEADLINE_EXCEEDED:
        return ErrorCode::kTimeout;
      case grpc::StatusCode::CANCELLED:
        return ErrorCode::kCancelled;
      case grpc::StatusCode::UNIMPLEMENTED:
        return ErrorCode::kUnimplemented;
      case grpc::StatusCode::PERMISSION_DENIED:
      case grpc::StatusCode::UNAUTHENTICATED:
        return ErrorCode::kPermission;
      default:
        return ErrorCode::kUnknown;
    }
  }();
  return {.code = code, .message = status.error_message()};
}

}  // namespace berth::control
