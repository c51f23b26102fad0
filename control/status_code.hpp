// Errors over the control socket: our Error as a gRPC status, and back.
//
// Both ends use it, so that what one means the other understands. The message goes through as it
// is, up to 2000 bytes: it is written for the person who asked. Pure; any thread.
#pragma once

#include <grpcpp/support/status.h>

#include "base/result.hpp"

namespace berth::control {

[[nodiscard]] grpc::Status to_status(const Error& error);

// For a status that is not ok. FAILED_PRECONDITION becomes kInvalid: asking again the same way
// would not help.
[[nodiscard]] Error to_error(const grpc::Status& status);

}  // namespace berth::control
