// SPDX-License-Identifier: Apache-2.0

// What of probes that fail goes to the log. Events have every failure with its whole output; a log
// has each failure once, without what else a command printed, and again when it has happened twice
// as often as it was last told. One whose output changes with each failure, as with a date in it,
// is told so after four outputs: by the number of its failures, whatever they said. A plain value
// of a few entries for each container; pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

class ProbeLines {
 public:
  // `message`: of the event. Unset: it is a repetition that is only counted. What did not happen
  // for ten minutes begins anew, and after a success what did not happen for one.
  std::optional<std::string> say(const std::string& container, const std::string& message,
                                 SteadyTime now);
  // `probe`: as its messages begin: "Readiness". It counts as successful from now on.
  void succeeded(const std::string& container, std::string_view probe);

 private:
  struct Failures {
    std::string message{};      // the last one's
    std::uint64_t same = 0;     // in a row with that message
    std::uint64_t outputs = 0;  // how often the message was another one
    std::uint64_t all = 0;
    bool succeeded = false;  // since the last one
    SteadyTime last{};
  };

  // By container and what comes before the output: "Readiness probe failed".
  std::map<std::pair<std::string, std::string>, Failures> told_{};
};

}  // namespace berth::lifecycle
