// SPDX-License-Identifier: Apache-2.0

// The exit codes of berthctl, documented in berthctl --help.
#pragma once

#include "base/result.hpp"

namespace berth::ctl {

enum ExitCode : int {
  kOk = 0,
  kFailed = 1,       // the operation failed
  kUsage = 2,        // wrong usage
  kNotFound = 3,     // no such pod
  kNotRunning = 3,   // `status`, as in systemctl
  kUnreachable = 4,  // the agent does not answer, or does not yet know what is running
  kNotPermitted = 5,
  kNotPlaceable = 6,    // `schedule explain`: no node can take the pod
  kBudgetInTheWay = 7,  // `evict`: not now
  kTimedOut = 124,
};

[[nodiscard]] ExitCode exit_code(ErrorCode code);

}  // namespace berth::ctl
