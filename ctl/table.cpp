// SPDX-License-Identifier: Apache-2.0

#include "ctl/table.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace berth::ctl {
namespace {

constexpr std::size_t kGap = 3;

// Width on a terminal: UTF-8 continuation bytes take no column.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    if (row.size() > widths.size()) widths.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width(one_line(row[i])));
  }
  return widths;
}

std::string format_row(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string cell = one_line(row[i]);
    line += cell;
    if (i + 1 == row.size()) break;
    const std::size_t wanted = i < widths.size() ? widths[i] : 0;
    line.append(kGap + wanted - std::min(wanted, width(cell)), ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string format_table(const std::vector<Row>& rows) {
  const auto widths = column_widths(rows);
  std::string text;
  for (const Row& row : rows) text += format_row(row, widths);
  return text;
}

}  // namespace berth::ctl
