// SPDX-License-Identifier: Apache-2.0

#include "ctl/age.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace berth::ctl {
namespace {

std::string two_units(std::int64_t big, char big_unit, std::int64_t small, char small_unit) {
  if (small == 0) return fmt::format("{}{}", big, big_unit);
  return fmt::format("{}{}{}{}", big, big_unit, small, small_unit);
}

}  // namespace

// The steps at which kubectl drops the smaller unit: 2 and 10 minutes, 3, 8 and 48 hours, 8 days,
// 2 and 8 years.
std::string human_duration(Nanoseconds duration) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return fmt::format("{}s", seconds);
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return two_units(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return two_units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  const std::int64_t days = hours / 24;
  if (days < 8) return two_units(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return fmt::format("{}d", days);
  if (days < 8 * 365) return two_units(days / 365, 'y', days % 365, 'd');
  return fmt::format("{}y", days / 365);
}

std::string age(const std::optional<api::Time>& since, WallTime now) {
  if (!since) return "<unknown>";
  return human_duration(now - since->at);
}

}  // namespace berth::ctl
