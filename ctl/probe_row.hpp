// SPDX-License-Identifier: Apache-2.0

// A probe as one line: `get probes` and the end of `describe`. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

struct ShownRun {
  std::string time{};
  Nanoseconds took{};
  Nanoseconds late{};
  std::string outcome{};   // success, warning, failure, unknown
  std::string standing{};  // counted, errored, too early
  std::string words{};     // of a run that did not pass
};

struct ShownProbe {
  std::string namespace_{};
  std::string pod{};
  std::string container{};
  std::string type{};    // Startup, Readiness, Liveness
  std::string result{};  // success, failure, unknown; empty: nothing published
  std::string waits_for{};
  bool under_way = false;
  std::optional<Nanoseconds> next_in{};
  Nanoseconds period{};
  Nanoseconds worst_late{};
  std::vector<ShownRun> runs{};  // oldest first
  int run = 0;
  int success_threshold = 1;
  int failure_threshold = 3;
  std::uint64_t successful = 0;
  std::uint64_t failed = 0;
  std::uint64_t errored = 0;
  std::uint64_t held_up = 0;
};

[[nodiscard]] Row probe_header(bool with_namespace, bool wide);
[[nodiscard]] Row probe_row(const ShownProbe& probe, bool with_namespace, bool wide);

// "passed in 2 ms", "failed: connect refused after 1 ms (2 of 3)", "errored: ...",
// "failed: connect refused after 1 ms (too early to count)"
[[nodiscard]] std::string last_outcome(const ShownProbe& probe);

// The probes of a described pod: a line each, followed by the last runs that did not pass.
[[nodiscard]] std::vector<Row> described_probes(const std::vector<ShownProbe>& probes);

}  // namespace berth::ctl
