// SPDX-License-Identifier: Apache-2.0

// Maps a gRPC status to an error code.
//
// The mapping uses the code only: texts differ between versions of a runtime. DEADLINE_EXCEEDED is
// kTimeout and CANCELLED is kCancelled (the outcome is unknown: the server may continue). A code
// that does not define what the caller could do is kUnknown.
#pragma once

#include <string_view>

#include <grpcpp/support/status.h>

#include "base/result.hpp"

namespace berth {

[[nodiscard]] ErrorCode error_code(grpc::StatusCode code);

// `status` must not be OK; the message is that of rpc_error.hpp, prefixed with `method`.
[[nodiscard]] Error to_error(std::string_view method, const grpc::Status& status);

}  // namespace berth
