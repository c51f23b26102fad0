// SPDX-License-Identifier: Apache-2.0

// Rotates a log in a test, performing all the steps at once.
#pragma once

#include <string>

#include "agent/logs/rotating_log.hpp"

namespace berth::agent {

// Returns the new name.
inline Result<std::string> rotated(const std::string& folder, const std::string& file,
                                   const node::LogRotationPolicy& policy,
                                   const std::string& stamp) {
  RotatingLog log({.top = folder, .folder = folder, .file = file}, policy, stamp);
  for (;;) {
    const auto done = log.go_on();
    if (!done) return fail(done.error());
    if (*done) return log.new_name();
  }
}

}  // namespace berth::agent
