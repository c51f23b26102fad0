// SPDX-License-Identifier: Apache-2.0

// How an exec ended, from the runtime's error channel: a Kubernetes Status in JSON.
//
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::agent {

struct ExecEnd {
  std::int32_t exit_code = 0;
  std::string message{};  // empty for success and for a plain exit code
};

// Success, or Failure with reason NonZeroExitCode and the code among its causes. Anything else is
// an error of the runtime: exit code 126 ("could not be run") with its text.
[[nodiscard]] ExecEnd exec_end(std::string_view status_json);

}  // namespace berth::agent
