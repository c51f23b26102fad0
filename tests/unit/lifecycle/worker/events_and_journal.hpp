// SPDX-License-Identifier: Apache-2.0

// What a pod's worker reports, as lines.
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
  void write(LogLevel level, std::string_view event, std::string_view message,
             const std::vector<LogField>& fields) override {
    std::string line = fmt::format("{} {}: {}", static_cast<int>(level), event, message);
    for (const LogField& field : fields) line += fmt::format(" {}={}", field.key, field.value);
    lines.push_back(std::move(line));
  }
  Lines lines{};
};

}  // namespace berth::lifecycle::test
