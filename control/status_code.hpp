// SPDX-License-Identifier: Apache-2.0

// Errors over the control socket: our Error as a gRPC status, and back.
//
// Both ends use it, so that the mapping is the same. The message passes unchanged, up to 2000
// bytes: it is written for the user. Pure; any thread.
#pragma once

#include <grpcpp/support/status.h>

#include "base/result.hpp"

namespace berth::control {

[[nodiscard]] grpc::Status to_status(const Error& error);

// `status` must not be ok. FAILED_PRECONDITION becomes kInvalid: repeating the same request would
// not help.
[[nodiscard]] Error to_error(const grpc::Status& status);

}  // namespace berth::control
