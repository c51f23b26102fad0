// SPDX-License-Identifier: Apache-2.0

// Which probe failures are logged. Events have every failure with its whole output; the log has
// each failure once, without the rest of a command's output, and again each time its count has
// doubled since it was last logged. If the output changes with each failure, for example because it
// contains a date, then after four outputs only the number of failures counts, whatever their
// output. A plain value of a few entries for each container; pure.
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
  // `message`: the event's. Returns the line to log; unset for a repetition that is only counted.
  // The count of a failure that did not occur for ten minutes (after a success: for one minute)
  // starts anew.
  std::optional<std::string> say(const std::string& container, const std::string& message,
                                 SteadyTime now);
  // `probe`: the beginning of its messages, such as "Readiness". The probe counts as successful
  // from now on.
  void succeeded(const std::string& container, std::string_view probe);

 private:
  struct Failures {
    std::string message{};      // of the last failure
    std::uint64_t same = 0;     // failures in a row with that message
    std::uint64_t outputs = 0;  // how often the message changed
    std::uint64_t all = 0;
    bool succeeded = false;  // since the last failure
    SteadyTime last{};
  };

  // By container and the text before the output, such as "Readiness probe failed".
  std::map<std::pair<std::string, std::string>, Failures> reported_{};
};

}  // namespace berth::lifecycle
