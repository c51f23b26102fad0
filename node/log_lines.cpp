// SPDX-License-Identifier: Apache-2.0

#include "node/log_lines.hpp"

namespace berth::node {
namespace {

// Takes the text up to the next space, and the space.
std::optional<std::string_view> next_field(std::string_view& rest) {
  const auto space = rest.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto field = rest.substr(0, space);
  rest.remove_prefix(space + 1);
  return field;
}

// The start of the last `lines` lines; a final line end does not start another one.
std::size_t tail_start(std::string_view text, std::size_t lines) {
  std::size_t at = text.size();
  if (at > 0 && text[at - 1] == '\n') --at;
  while (at > 0) {
    if (text[at - 1] == '\n' && --lines == 0) return at;
    --at;
  }
  return 0;
}

}  // namespace

std::optional<LogLine> parse_log_line(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  const auto time = next_field(line);
  const auto stream = time ? next_field(line) : std::nullopt;
  if (!stream || (*stream != "stdout" && *stream != "stderr")) return std::nullopt;
  // After an empty line's tags the line may end without a space.
  auto tags = next_field(line);
  if (!tags) {
    tags = line;
    line = {};
  }
  const auto tag = tags->substr(0, tags->find(':'));
  if (tag != "F" && tag != "P") return std::nullopt;
  return LogLine{.time = *time, .stream = *stream, .content = line, .partial = tag == "P"};
}

std::string log_tail(std::string_view text, std::size_t lines, std::size_t bytes) {
  if (lines == 0) return "";
  std::string out;
  text.remove_prefix(tail_start(text, lines));
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (const auto line = parse_log_line(text.substr(0, end))) {
      out += line->content;
      if (!line->partial) out += '\n';
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  if (out.size() > bytes) out.erase(0, out.size() - bytes);
  return out;
}

}  // namespace berth::node
