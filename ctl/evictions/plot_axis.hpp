// SPDX-License-Identifier: Apache-2.0

// Where an axis has its ticks, and how they are labelled: round amounts, round times. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::ctl {

struct Tick {
  double at = 0;
  std::string label{};

  bool operator==(const Tick&) const = default;
};

// From zero to the first round amount that is not below `high`, three to six steps. `unit`:
// "bytes", "count" or "ppm" (parts per million, which are labelled as percentages).
[[nodiscard]] std::vector<Tick> amount_ticks(std::string_view unit, double high);
// From the last round amount that is not above `low` to the first that is not below `high`, so far
// apart that no two labels are the same.
[[nodiscard]] std::vector<Tick> amount_ticks_between(std::string_view unit, double low,
                                                     double high);

// Round times (UTC) from `from` to `until`, milliseconds since 1970. The first one, and the first
// of each day, has the date as well.
[[nodiscard]] std::vector<Tick> time_ticks(std::int64_t from, std::int64_t until);

// "5.4Gi", "12%", "32k".
[[nodiscard]] std::string axis_amount(std::string_view unit, double amount);

// "2026-01-02 03:00:10", of milliseconds since 1970.
[[nodiscard]] std::string axis_time(std::int64_t at);

}  // namespace berth::ctl
