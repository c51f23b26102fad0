// SPDX-License-Identifier: Apache-2.0

// Runs a number of probes per second for some time, and measures their cost.
#pragma once

#include <cstdint>
#include <string>

#include "probes/handlers.hpp"
#include "probes/prober.hpp"

namespace berth::bench {

enum class ProbeKind : std::uint8_t { kHttp, kTcp };

struct ProbeLoad {
  ProbeKind kind = ProbeKind::kHttp;
  int probes = 10'000;  // each once a second
  int seconds = 10;
  int addresses = 2'000;  // of the loopback, on which pods listen
  std::uint16_t port = 0;
};

struct LoadFigures {
  probes::ProberCounts counts{};
  probes::SocketCounts sockets{};
  probes::TrackingReport tracking{};
  std::uint64_t bad = 0;  // failed or errored
  std::string last_event{};
  Nanoseconds cpu{0};
  Nanoseconds length{0};
  Nanoseconds worst_late{0};
  double bytes_a_probe = 0;
  std::uint64_t most_tracked = 0;  // peak number of entries in the table

  [[nodiscard]] double processor_used() const;  // 0.5: half a processor
  [[nodiscard]] Nanoseconds cost() const;       // per run
};

[[nodiscard]] LoadFigures run_probes(const ProbeLoad& load);

// The upper bound, in ms, of the class that covers this share of all runs' lateness.
[[nodiscard]] double late_within(const probes::ProberCounts& counts, double part);

}  // namespace berth::bench
