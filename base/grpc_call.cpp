// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_call.hpp"

#include <grpc/support/time.h>

namespace berth {

void set_time_limit(grpc::ClientContext& context, std::optional<Nanoseconds> limit) {
  // A time span, which gRPC adds to its own clock, so we need not read one.
  if (limit) context.set_deadline(gpr_time_from_nanos(limit->count(), GPR_TIMESPAN));
}

}  // namespace berth
