// SPDX-License-Identifier: Apache-2.0

// Structured log lines: a sentence for a person, and fields for machines.
//
// An interface, so that the shell can run under a simulation that records the lines; the agent
// implements it with the journal, or spdlog on stderr. `event` is a stable word (a Kubernetes
// reason where one exists: Killing, BackOff, Created). Fields are the journal's without their
// prefix:
//
//   NAMESPACE, POD, POD_UID       the pod that a line is about
//   CONTAINER, CONTAINER_ID       its container; the id if it is known
//   DECISION                      the ledger's record that explains the line (record_id())
//   REASON                        the container's or pod's, as in Kubernetes' status
//   EXIT_CODE, SIGNAL, FILE, …    specific to one kind of line
//
// The line's place in the source is added automatically, for whoever reads the code (CODE_FILE,
// CODE_LINE, CODE_FUNC). Never log the value of a secret or an environment variable. Loop thread
// only.
#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

struct LogField {
  std::string key{};
  std::string value{};
};

// A line being logged; valid only during the call.
struct LogLine {
  LogLevel level = LogLevel::kInfo;
  std::string_view event{};
  std::string_view message{};
  const std::vector<LogField>& fields;
  std::source_location where{};  // default: not known
};

class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  virtual ~Log() = default;

  void write(LogLevel level, std::string_view event, std::string_view message,
             const std::vector<LogField>& fields,
             std::source_location where = std::source_location::current()) {
    put({.level = level, .event = event, .message = message, .fields = fields, .where = where});
  }
  void info(std::string_view event, std::string_view message,
            const std::vector<LogField>& fields = {},
            std::source_location where = std::source_location::current()) {
    write(LogLevel::kInfo, event, message, fields, where);
  }
  void warn(std::string_view event, std::string_view message,
            const std::vector<LogField>& fields = {},
            std::source_location where = std::source_location::current()) {
    write(LogLevel::kWarn, event, message, fields, where);
  }

 private:
  virtual void put(const LogLine& line) = 0;
};

}  // namespace berth
