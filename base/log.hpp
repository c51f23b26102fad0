// SPDX-License-Identifier: Apache-2.0

// Structured log lines: a sentence for a person, and fields for machines.
//
// An interface, so that the shell can run under a simulation that records the lines; the agent
// implements it with spdlog. `event` is a stable word (a Kubernetes reason where one exists:
// Killing, BackOff, Created). Fields are the journal's without their prefix: POD, NAMESPACE,
// POD_UID, CONTAINER, CONTAINER_ID, REASON. Never log the value of a secret or an environment
// variable. Loop thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

struct LogField {
  std::string key{};
  std::string value{};
};

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  virtual ~Log() = default;

  virtual void write(LogLevel level, std::string_view event, std::string_view message,
                     const std::vector<LogField>& fields) = 0;

  void info(std::string_view event, std::string_view message,
            const std::vector<LogField>& fields = {}) {
    write(LogLevel::kInfo, event, message, fields);
  }
  void warn(std::string_view event, std::string_view message,
            const std::vector<LogField>& fields = {}) {
    write(LogLevel::kWarn, event, message, fields);
  }
};

}  // namespace berth
