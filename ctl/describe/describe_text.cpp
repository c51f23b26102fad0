// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace berth::ctl {
namespace {

constexpr std::size_t kStep = 2;
constexpr std::size_t kGap = 2;

}  // namespace

void DescribeText::field(std::string_view key, std::string_view value) {
  block_.push_back({std::string(key) + ":", one_line(value)});
}

void DescribeText::list(std::string_view key, const std::vector<std::string>& values) {
  if (values.empty()) {
    field(key, "<none>");
    return;
  }
  field(key, values.front());
  for (std::size_t i = 1; i < values.size(); ++i) block_.push_back({"", one_line(values[i])});
}

void DescribeText::list_lines(std::string_view key, std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  list(key, lines);
}

void DescribeText::rows(const std::vector<Row>& rows) {
  const auto widths = column_widths(rows);
  for (const Row& row : rows) {
    std::string text = format_row(row, widths);
    text.pop_back();
    line(text);
  }
}

void DescribeText::enter(std::string_view key, std::string_view remark) {
  flush();
  text_ += std::string(indent_, ' ') + std::string(key) + ":";
  if (!remark.empty()) text_ += std::string(kGap, ' ') + one_line(remark);
  text_ += "\n";
  indent_ += kStep;
}

void DescribeText::leave() {
  flush();
  indent_ -= std::min(indent_, kStep);
}

void DescribeText::line(std::string_view text) {
  flush();
  text_ += std::string(indent_, ' ') + one_line(text) + "\n";
}

std::string DescribeText::text() {
  flush();
  return text_;
}

void DescribeText::flush() {
  std::size_t width = 0;
  for (const Line& line : block_) width = std::max(width, line.key.size());
  for (const Line& line : block_) {
    std::string text = std::string(indent_, ' ') + line.key;
    text.append(width - line.key.size() + kGap, ' ');
    text += line.value;
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += text + "\n";
  }
  block_.clear();
}

}  // namespace berth::ctl
