// SPDX-License-Identifier: Apache-2.0

// A worker's events and log messages as lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/log.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle::test {

using Lines = std::vector<std::string>;

class Events final : public PodEvents {
 public:
  void record(const api::Pod& pod, const PodEvent& event) override {
    lines.push_back(fmt::format("{} {} {}: {} [{}]", pod.metadata.name,
                                event.level == EventLevel::kWarning ? "Warning" : "Normal",
                                event.reason, event.message, event.field_path));
  }
  Lines lines{};
};

class Journal final : public Log {
 public:
  Lines lines{};
  std::string last_file{};  // the source file of the last line

 private:
  void put(const LogLine& line) override {
    last_file = line.where.file_name();
    std::string text =
        fmt::format("{} {}: {}", static_cast<int>(line.level), line.event, line.message);
    for (const LogField& field : line.fields) text += fmt::format(" {}={}", field.key, field.value);
    lines.push_back(std::move(text));
  }
};

}  // namespace berth::lifecycle::test
