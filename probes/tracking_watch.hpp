// SPDX-License-Identifier: Apache-2.0

// Watches the kernel's connection tracking table while probes close connections.
//
// Loop thread. No timer: it looks when a connection is closed or a report is requested, at most
// every two seconds, and then reads a few short files of /proc/sys, which do not block.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "probes/connection_tracking.hpp"

namespace berth::probes {

struct TrackingReport {
  TrackingTable table{};
  double a_second = 0;  // connections that probes closed recently, per second
  Closing closing = Closing::kPlain;
};

class TrackingWatch {
 public:
  TrackingWatch(Clock& clock, std::filesystem::path folder)
      : clock_(clock), folder_(std::move(folder)), looked_at_(clock.steady_now()) {}

  // Counts a connection that is being closed; returns how to close it.
  [[nodiscard]] Closing close_one();
  // The current state.
  [[nodiscard]] TrackingReport report();

 private:
  void look(SteadyTime now);
  void read(SteadyTime now);

  Clock& clock_;
  std::filesystem::path folder_;
  SteadyTime looked_at_;
  std::optional<SteadyTime> read_at_{};
  std::uint64_t closed_ = 0;  // since then
  TrackingReport last_{};
};

}  // namespace berth::probes
