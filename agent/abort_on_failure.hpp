// SPDX-License-Identifier: Apache-2.0

// Handles exceptions that nothing expected: logs them and aborts berthd.
#pragma once

#include "base/log.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

// After such an exception the state cannot be trusted; pods keep running without berthd, and the
// service manager restarts it. `log` outlives the handler.
[[nodiscard]] TaskGroup::FailureHandler abort_on_failure(Log& log);

}  // namespace berth::agent
