// SPDX-License-Identifier: Apache-2.0

// The log format of container runtimes: "<time> <stdout|stderr> <tags> <content>".
//
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace berth::node {

struct LogLine {
  std::string_view time{};     // RFC 3339 with nanoseconds, as written
  std::string_view stream{};   // stdout or stderr
  std::string_view content{};  // without a line end
  bool partial = false;        // the line continues in the next one

  bool operator==(const LogLine&) const = default;
};

// `std::nullopt` for a line in another format. The views point into `line`.
[[nodiscard]] std::optional<LogLine> parse_log_line(std::string_view line);

// The content of the last `lines` lines, without time and stream, limited to its last `bytes`
// bytes. `text` is the file or its end; a truncated first line is skipped.
[[nodiscard]] std::string log_tail(std::string_view text, std::size_t lines, std::size_t bytes);

}  // namespace berth::node
