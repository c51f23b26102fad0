// SPDX-License-Identifier: Apache-2.0

// A log that keeps its lines for a test.
#pragma once

#include <string>
#include <vector>

#include "base/log.hpp"

namespace berth::agent {

struct RecordedLine {
  LogLevel level{};
  std::string event{};
  std::string message{};
  std::vector<LogField> fields{};
};

class RecordedLog final : public Log {
 public:
  std::vector<RecordedLine> lines{};

 private:
  void put(const LogLine& line) override {
    lines.push_back({line.level, std::string(line.event), std::string(line.message), line.fields});
  }
};

}  // namespace berth::agent
