// SPDX-License-Identifier: Apache-2.0

// Maps a gRPC status to an error code.
//
// The mapping uses the code only: texts differ between versions of a runtime. DEADLINE_EXCEEDED is
// kTimeout and CANCELLED is kCancelled (the outcome is unknown: the server may go on). A code that
// does not say what the caller could do is kUnknown.
#pragma once

#include <string_view>

#include <grpcpp/support/status.h>

#include "base/result.hpp"

namespace berth {

[[nodiscard]] ErrorCode error_code(grpc::StatusCode code);

// `status` must not be OK; the message is rpc_error.hpp's, with `method` in front.
[[nodiscard]] Error to_error(std::string_view method, const grpc::Status& status);

}  // namespace berth
