// SPDX-License-Identifier: Apache-2.0

// What becomes of an exception that nothing expected: it is logged, and berthd aborts.
#pragma once

#include "base/log.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

// After it the state cannot be trusted; pods run on without berthd, and the service manager starts
// it again. `log` outlives the handler.
[[nodiscard]] TaskGroup::FailureHandler abort_on_failure(Log& log);

}  // namespace berth::agent
