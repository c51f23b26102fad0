// SPDX-License-Identifier: Apache-2.0

// Times and durations as the Kubernetes API writes them.
//
// Plain values; nothing here reads a clock. `Time` and `MicroTime` are wall-clock instants, kept to
// the nanosecond and printed in UTC with whole seconds or microseconds; `Duration` is a span in
// Go's notation ("1m30s"), used by the configuration kinds. parse() fails with ErrorCode::kInvalid
// and a message that names the text and the expected form.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace berth::api {

using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;

struct Time {
  WallTime at{};

  // Parses RFC 3339, with any fraction and any offset: 2006-01-02T15:04:05Z, …05.5+01:00.
  static Result<Time> parse(std::string_view text);
  static Time from_unix_seconds(std::int64_t seconds) {
    return Time{WallTime{std::chrono::seconds{seconds}}};
  }
  static Time from_unix_nanoseconds(std::int64_t nanoseconds) {
    return Time{WallTime{std::chrono::nanoseconds{nanoseconds}}};
  }

  // 2006-01-02T15:04:05Z; the fraction is truncated.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] std::int64_t unix_seconds() const {
    return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  }
  // The same instant in the form that messages carry: without the fraction of a second.
  [[nodiscard]] Time whole_seconds() const {
    return Time{WallTime{std::chrono::floor<std::chrono::seconds>(at)}};
  }

  auto operator<=>(const Time&) const = default;
};

struct MicroTime {
  WallTime at{};

  static Result<MicroTime> parse(std::string_view text);

  // 2006-01-02T15:04:05.000000Z; finer digits are truncated.
  [[nodiscard]] std::string to_string() const;

  auto operator<=>(const MicroTime&) const = default;
};

struct Duration {
  std::chrono::nanoseconds value{};

  // Parses a sequence of decimal numbers with units (ns, us, µs, ms, s, m, h), e.g. "-1.5h",
  // "300ms"; "0" needs no unit.
  static Result<Duration> parse(std::string_view text);

  // "1m30s", "1.5s", "100ms", "1h0m0s", "0s".
  [[nodiscard]] std::string to_string() const;

  auto operator<=>(const Duration&) const = default;
};

}  // namespace berth::api
