// SPDX-License-Identifier: Apache-2.0

// What of probes that fail goes to the log. Events have every failure with its whole output; a log
// has each failure once, without what else a command printed, and again when it has happened twice
// as often as it was last told. A plain value; pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

class ProbeLines {
 public:
  // `message`: of the event. Unset: it is a repetition that is only counted. What did not happen
  // for ten minutes begins anew.
  std::optional<std::string> say(const std::string& container, const std::string& message,
                                 SteadyTime now);

 private:
  struct Repeated {
    std::string message{};
    std::uint64_t times = 0;
    SteadyTime last{};
  };

  // By container and what comes before the output: "Readiness probe failed".
  std::map<std::pair<std::string, std::string>, Repeated> told_{};
};

}  // namespace berth::lifecycle
