// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/interrupted_stops.hpp"

namespace berth::lifecycle {

std::map<std::string, StopMemory> stops_to_go_on(const PodMemory& memory,
                                                 TerminationOnRestart rule) {
  if (rule == TerminationOnRestart::kFullGrace) return {};
  return memory.stops;
}

// After any other failure, which is an answer of the runtime, the grace period continues.
bool begins_again(const Error& failure, TerminationOnRestart rule) {
  return rule == TerminationOnRestart::kFullGrace && failure.code == ErrorCode::kUnavailable;
}

}  // namespace berth::lifecycle
