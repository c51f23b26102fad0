// SPDX-License-Identifier: Apache-2.0

// A log that a test reads.
#pragma once

#include <string>
#include <vector>

#include "base/log.hpp"

namespace berth::agent {

struct LogLine {
  LogLevel level{};
  std::string event{};
  std::string message{};
  std::vector<LogField> fields{};
};

class RecordedLog final : public Log {
 public:
  void write(LogLevel level, std::string_view event, std::string_view message,
             const std::vector<LogField>& fields) override {
    lines.push_back({level, std::string(event), std::string(message), fields});
  }
  std::vector<LogLine> lines{};
};

}  // namespace berth::agent
