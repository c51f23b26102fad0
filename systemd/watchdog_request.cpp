// SPDX-License-Identifier: Apache-2.0

#include "systemd/watchdog_request.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>

namespace berth::systemd {
namespace {

constexpr Nanoseconds kTooSmall = std::chrono::seconds(1);
constexpr std::int64_t kMostUsec = std::numeric_limits<std::int64_t>::max() / 1000;

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [last, bad] = std::from_chars(text.data(), end, value);
  if (text.empty() || bad != std::errc() || last != end) return std::nullopt;
  return value;
}

}  // namespace

Result<std::optional<Nanoseconds>> requested_watchdog(const WatchdogVariables& variables,
                                                      pid_t self) {
  if (!variables.usec) return std::nullopt;
  if (variables.pid) {
    const auto pid = number(*variables.pid);
    if (!pid) {
      return fail(ErrorCode::kInvalid,
                  "configure watchdog: WATCHDOG_PID is no number: \"" + *variables.pid + "\"");
    }
    if (*pid != self) return std::nullopt;
  }
  const auto usec = number(*variables.usec);
  if (!usec || *usec <= 0 || *usec > kMostUsec) {
    return fail(ErrorCode::kInvalid,
                "configure watchdog: WATCHDOG_USEC is no time: \"" + *variables.usec + "\"");
  }
  const Nanoseconds timeout = std::chrono::microseconds(*usec);
  if (timeout <= kTooSmall) {
    return fail(ErrorCode::kInvalid, "configure watchdog timeout too small: " + *variables.usec +
                                         " us; set WatchdogSec= to more than 1 s");
  }
  return timeout;
}

}  // namespace berth::systemd
