// SPDX-License-Identifier: Apache-2.0

#include "ctl/evictions/plot_axis.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "api/text/readable_quantity.hpp"

namespace berth::ctl {
namespace {

constexpr double kMostSteps = 6;

// The smallest of 1, 2, 5, 10, 20, 50 … times `unit` that needs few steps.
double round_step(double high, double unit) {
  for (double ten = unit;; ten *= 10)
    for (const double step : {ten, 2 * ten, 5 * ten})
      if (high <= kMostSteps * step) return step;
}

// Bytes are round in powers of 1024: 256Mi, 512Mi, 1Gi, 2Gi, 5Gi.
double round_byte_step(double high) {
  constexpr double kStep = 1024;
  double unit = 1;
  while (high >= unit * kStep) unit *= kStep;
  for (const double part : {unit / 8, unit / 4, unit / 2})
    if (part >= 1 && high <= kMostSteps * part) return part;
  return round_step(high, unit);
}

double amount_step(std::string_view unit, double high) {
  if (unit == "bytes") return round_byte_step(high);
  constexpr double kTenthOfPercent = 1000;
  return round_step(high, unit == "ppm" ? kTenthOfPercent : 1);
}

// The least difference that labels of such amounts show (axis_amount).
double shown_difference(std::string_view unit, double amount) {
  if (unit == "ppm") return 1000;
  if (unit != "bytes") return amount >= 1'000'000 ? 1000 : amount >= 1000 ? 10 : 1;
  constexpr double kStep = 1024;
  double one = 1;
  while (amount >= one * kStep) one *= kStep;
  const double number = amount / one;
  return std::max(1.0, number >= 100 ? one : number >= 10 ? one / 10 : one / 100);
}

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kTimeSteps[] = {
    kSecond,     2 * kSecond, 5 * kSecond,  10 * kSecond, 15 * kSecond, 30 * kSecond, kMinute,
    2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute, kHour,        2 * kHour,
    3 * kHour,   6 * kHour,   12 * kHour,   kDay,         2 * kDay,     7 * kDay,     28 * kDay};

std::int64_t time_step(std::int64_t span) {
  constexpr std::int64_t kMost = 8;
  const auto* const step =
      std::ranges::find_if(kTimeSteps, [&](std::int64_t one) { return span <= kMost * one; });
  return step == std::end(kTimeSteps) ? std::max<std::int64_t>(span / kMost, 1) : *step;
}

std::tm calendar(std::int64_t at) {
  return fmt::gmtime(static_cast<std::time_t>(at / kSecond));
}

std::string time_label(std::int64_t at, std::int64_t step, bool with_date) {
  const std::tm time = calendar(at);
  const std::string clock =
      step < kMinute ? fmt::format("{:%H:%M:%S}", time) : fmt::format("{:%H:%M}", time);
  return with_date ? fmt::format("{:%b %d} {}", time, clock) : clock;
}

}  // namespace

std::string axis_amount(std::string_view unit, double amount) {
  if (unit == "ppm") return api::readable_share(amount);
  if (unit == "bytes") return api::readable_bytes(std::llround(amount));
  constexpr double kMillion = 1'000'000;
  constexpr double kThousand = 1'000;
  if (amount >= kMillion) return fmt::format("{:g}M", std::round(amount / kThousand) / kThousand);
  if (amount >= kThousand) return fmt::format("{:g}k", std::round(amount / 10) / 100);
  return fmt::format("{:.0f}", amount);
}

std::string axis_time(std::int64_t at) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", calendar(at));
}

std::vector<Tick> amount_ticks(std::string_view unit, double high) {
  const double step = amount_step(unit, std::max(high, 1.0));
  std::vector<Tick> ticks = {{0, axis_amount(unit, 0)}};
  for (int i = 1; ticks.back().at < high || i == 1; ++i)
    ticks.push_back({i * step, axis_amount(unit, i * step)});
  return ticks;
}

std::vector<Tick> amount_ticks_between(std::string_view unit, double low, double high) {
  const double step = round_step(high - low, shown_difference(unit, high));
  double number = std::floor(low / step);
  std::vector<Tick> ticks = {{number * step, axis_amount(unit, number * step)}};
  while (ticks.back().at < high) {
    ++number;
    ticks.push_back({number * step, axis_amount(unit, number * step)});
  }
  return ticks;
}

std::vector<Tick> time_ticks(std::int64_t from, std::int64_t until) {
  const std::int64_t step = time_step(until - from);
  std::vector<Tick> ticks;
  std::int64_t day = -1;
  for (std::int64_t at = (from + step - 1) / step * step; at <= until; at += step) {
    ticks.push_back({static_cast<double>(at), time_label(at, step, at / kDay != day)});
    day = at / kDay;
  }
  return ticks;
}

}  // namespace berth::ctl
