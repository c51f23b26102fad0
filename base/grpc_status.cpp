// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_status.hpp"

#include "base/rpc_error.hpp"
#include "base/text.hpp"

namespace berth {

ErrorCode error_code(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::NOT_FOUND:
      return ErrorCode::kNotFound;
    case grpc::StatusCode::ALREADY_EXISTS:
      return ErrorCode::kAlreadyExists;
    case grpc::StatusCode::INVALID_ARGUMENT:
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
    default:  // gRPC may add codes
      return ErrorCode::kUnknown;
  }
}

Error to_error(std::string_view method, const grpc::Status& status) {
  const auto code = static_cast<int>(status.error_code());
  return {error_code(status.error_code()),
          valid_text(rpc_error_text(method, code, status.error_message()))};
}

}  // namespace berth
