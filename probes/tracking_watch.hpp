// Watches the kernel's table of tracked connections while probes close connections.
//
// Loop thread. No timer: it looks when a connection is closed or somebody asks, at most every two
// seconds, and then reads a few short files of /proc/sys, which do not block.
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
  double a_second = 0;  // connections that probes closed lately
  Closing closing = Closing::kPlain;
};

class TrackingWatch {
 public:
  TrackingWatch(Clock& clock, std::filesystem::path folder)
      : clock_(clock), folder_(std::move(folder)), looked_at_(clock.steady_now()) {}

  // A connection is being closed: how.
  [[nodiscard]] Closing close_one();
  // As of now.
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
