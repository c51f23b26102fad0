// SPDX-License-Identifier: Apache-2.0

#include "probes/tracking_watch.hpp"

#include <chrono>
#include <fstream>
#include <string>

namespace berth::probes {
namespace {

constexpr std::chrono::seconds kEvery{2};
constexpr std::chrono::milliseconds kStale{100};
// Weight of the last reading in the rate: the number of probes varies between seconds.
constexpr double kNews = 0.5;

// Zero if the file does not exist or cannot be read.
std::uint64_t number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? number : 0;
}

Nanoseconds seconds_in(const std::filesystem::path& file) {
  return std::chrono::seconds{number_in(file)};
}

TrackingTable read_table(const std::filesystem::path& folder) {
  TrackingTable table{.limit = number_in(folder / "nf_conntrack_max")};
  if (table.limit == 0) return table;
  table.entries = number_in(folder / "nf_conntrack_count");
  table.kept_closed = seconds_in(folder / "nf_conntrack_tcp_timeout_time_wait");
  table.kept_reset = seconds_in(folder / "nf_conntrack_tcp_timeout_close");
  return table;
}

}  // namespace

Closing TrackingWatch::close_one() {
  ++closed_;
  const SteadyTime now = clock_.steady_now();
  if (now - looked_at_ >= kEvery) look(now);
  return last_.closing;
}

TrackingReport TrackingWatch::report() {
  const SteadyTime now = clock_.steady_now();
  if (now - looked_at_ >= kEvery) look(now);
  if (!read_at_ || now - *read_at_ >= kStale)
    read(now);  // the table is shared: it may have filled since
  return last_;
}

void TrackingWatch::read(SteadyTime now) {
  last_.table = read_table(folder_);
  read_at_ = now;
}

void TrackingWatch::look(SteadyTime now) {
  const double passed = std::chrono::duration<double>(now - looked_at_).count();
  const double lately = static_cast<double>(closed_) / passed;
  looked_at_ = now;
  closed_ = 0;
  last_.a_second += kNews * (lately - last_.a_second);
  read(now);
  last_.closing = closing(last_.closing, last_.table, last_.a_second);
}

}  // namespace berth::probes
