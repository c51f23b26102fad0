// What a gRPC status means to us.
//
// By the code alone: texts differ between versions of a runtime. DEADLINE_EXCEEDED is kTimeout and
// CANCELLED kCancelled (the outcome is unknown: the server may go on); a code that says nothing
// about what the caller could do is kUnknown.
#pragma once

#include <string_view>

#include <grpcpp/support/status.h>

#include "base/result.hpp"

namespace berth {

[[nodiscard]] ErrorCode error_code(grpc::StatusCode code);

// For a status that is not OK; the message is rpc_error.hpp's, with `method` in front.
[[nodiscard]] Error to_error(std::string_view method, const grpc::Status& status);

}  // namespace berth
