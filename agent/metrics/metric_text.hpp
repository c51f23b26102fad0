// SPDX-License-Identifier: Apache-2.0

// Metrics in Prometheus' text format, as its own writer prints them.
//
// Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::agent {

// Few digits, and an exponent from a million on.
[[nodiscard]] std::string metric_number(double value);
[[nodiscard]] std::string metric_number(std::uint64_t value);

// A label's value, without its quotes.
[[nodiscard]] std::string metric_label(std::string_view value);

// The lines HELP and TYPE of a family.
void write_metric_head(std::string& out, std::string_view name, std::string_view type,
                       std::string_view help);

// Observations, in seconds, in Prometheus' default buckets.
class SecondsHistogram {
 public:
  static constexpr std::array<double, 11> kBounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                  0.5,   1,    2.5,   5,    10};

  void observe(double seconds);
  // The series of these labels ("a=\"b\""), without a head.
  void write(std::string& out, std::string_view name, std::string_view labels) const;

 private:
  std::array<std::uint64_t, kBounds.size()> within_{};  // of each bucket alone
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace berth::agent
