// SPDX-License-Identifier: Apache-2.0

// Which probe failures are logged. Events have every failure with its whole output; the log has the
// first line of each failure once, and again each time its count has doubled. If the output differs
// with each failure, for example because it contains a date, then after four outputs only the
// number of failures counts. A plain value of a few entries for each container; pure.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "probes/probe_state.hpp"

namespace berth::lifecycle {

class ProbeLines {
 public:
  // What is counted together.
  struct Trouble {
    std::string container{};
    probes::ProbeType type = probes::ProbeType::kReadiness;
    probes::Outcome outcome = probes::Outcome::kFailure;

    auto operator<=>(const Trouble&) const = default;
  };
  // `message`: the event's. Returns the line to log; unset for a repetition that is only counted.
  // The count of a failure that did not occur for ten minutes (after a success: for one minute)
  // starts anew.
  std::optional<std::string> say(const Trouble& trouble, const std::string& message,
                                 SteadyTime now);
  // The probe counts as successful from now on.
  void succeeded(const std::string& container, probes::ProbeType type);

 private:
  struct Failures {
    std::string message{};      // of the last failure
    std::uint64_t same = 0;     // failures in a row with that message
    std::uint64_t outputs = 0;  // how often the message changed
    std::uint64_t all = 0;
    bool succeeded = false;  // since the last failure
    SteadyTime last{};
  };

  std::map<Trouble, Failures> reported_{};
};

}  // namespace berth::lifecycle
