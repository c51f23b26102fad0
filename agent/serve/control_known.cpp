// SPDX-License-Identifier: Apache-2.0

// Answers about pods before berthd knows what runs: never that there are none.
#include "agent/serve/control_calls.hpp"

namespace berth::agent {

Error not_known_yet(const ControlSources& from) {
  std::string what = "the adoption of the running pods";
  if (!from.node.runtime_answers()) {
    what = "the container runtime at " + from.settings.runtime.endpoint + ": " +
           from.node.runtime_error();
  }
  return {.code = ErrorCode::kUnavailable,
          .message = "berthd does not know yet what runs here; it waits for " + what};
}

boost::asio::awaitable<void> until_known(ControlSources& from) {
  const SteadyTime deadline = from.clock.steady_now() + kAskRuntime;
  static_cast<void>(co_await from.known.by(from.clock, deadline));
}

}  // namespace berth::agent
