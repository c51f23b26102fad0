// SPDX-License-Identifier: Apache-2.0

#include "agent/metrics/metric_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace berth::agent {

std::string metric_number(double value) {
  constexpr double kPlainBelow = 1e6;
  constexpr double kPlainFrom = 1e-4;
  if (value == 0 || (value >= kPlainFrom && value < kPlainBelow)) return fmt::format("{}", value);
  for (int digits = 0;; ++digits) {  // the fewest that give the same number
    std::string text = fmt::format("{:.{}e}", value, digits);
    if (std::stod(text) == value) return text;
  }
}

std::string metric_number(std::uint64_t value) {
  return metric_number(static_cast<double>(value));
}

std::string metric_label(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

void write_metric_head(std::string& out, std::string_view name, std::string_view type,
                       std::string_view help) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

void SecondsHistogram::observe(double seconds) {
  ++count_;
  sum_ += seconds;
  const auto* bound = std::ranges::lower_bound(kBounds, seconds);
  if (bound != kBounds.end()) ++within_.at(static_cast<std::size_t>(bound - kBounds.begin()));
}

void SecondsHistogram::write(std::string& out, std::string_view name,
                             std::string_view labels) const {
  const auto to = std::back_inserter(out);
  std::uint64_t within = 0;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    within += within_.at(i);
    fmt::format_to(to, "{}_bucket{{{},le=\"{}\"}} {}\n", name, labels, metric_number(kBounds.at(i)),
                   metric_number(within));
  }
  fmt::format_to(to, "{}_bucket{{{},le=\"+Inf\"}} {}\n", name, labels, metric_number(count_));
  fmt::format_to(to, "{}_sum{{{}}} {}\n", name, labels, metric_number(sum_));
  fmt::format_to(to, "{}_count{{{}}} {}\n", name, labels, metric_number(count_));
}

}  // namespace berth::agent
