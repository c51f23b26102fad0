// SPDX-License-Identifier: Apache-2.0

// What blocking calls over D-Bus need: RAII owners of sd-bus's objects, and its failures as errors.
// Included by source files of systemd/ only.
#pragma once

#include <systemd/sd-bus.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "base/result.hpp"

namespace berth::systemd {

inline constexpr const char* kManagerService = "org.freedesktop.systemd1";
inline constexpr const char* kManagerPath = "/org/freedesktop/systemd1";
inline constexpr const char* kManagerInterface = "org.freedesktop.systemd1.Manager";

// Closes the connection without flushing it. Every call waits for its own answer, and to flush what
// an abandoned call has not sent would wait for a hung service manager, beyond the call's limit.
struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
using Bus = std::unique_ptr<sd_bus, CloseBus>;

class BusError {
 public:
  BusError() = default;
  BusError(const BusError&) = delete;
  BusError& operator=(const BusError&) = delete;
  ~BusError() { sd_bus_error_free(&error_); }

  sd_bus_error* out() { return &error_; }
  [[nodiscard]] bool is(const char* name) const { return sd_bus_error_has_name(&error_, name) > 0; }
  [[nodiscard]] std::string text(int result) const {
    return error_.message != nullptr ? error_.message : std::strerror(-result);
  }

 private:
  sd_bus_error error_{};
};

// `result`: a negative errno. kTimeout, or kUnavailable if nothing answers there.
inline std::unexpected<Error> failure(const std::string& what, int result,
                                      const BusError& error = {}) {
  ErrorCode code = ErrorCode::kUnknown;
  if (result == -ETIMEDOUT) code = ErrorCode::kTimeout;
  for (const int gone : {ENOENT, ECONNREFUSED, ENOTCONN, ECONNRESET, EPIPE})
    if (result == -gone) code = ErrorCode::kUnavailable;
  return fail(code, what + ": " + error.text(result));
}

}  // namespace berth::systemd
