// SPDX-License-Identifier: Apache-2.0

// The README shows berthctl's real output.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "ctl/pod_row.hpp"
#include "tests/test_paths.hpp"

namespace berth::ctl {
namespace {

std::vector<std::string> lines_of_readme() {
  std::ifstream file(source_dir() / "README.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Splits at three or more blanks, like the table.
Row cells(const std::string& line) {
  Row row;
  for (std::size_t at = 0; at < line.size();) {
    const auto end = std::min(line.find("   ", at), line.size());
    row.push_back(line.substr(at, end - at));
    at = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return row;
}

// Reprints the table that starts at that line from its cells.
void expect_printed(const std::vector<std::string>& lines, std::size_t at, const Row& header) {
  std::vector<Row> rows;
  std::string shown;
  for (; at < lines.size() && !lines[at].starts_with("```") && !lines[at].starts_with("$"); ++at) {
    rows.push_back(cells(lines[at]));
    shown += lines[at] + "\n";
  }
  ASSERT_GT(rows.size(), 1U);
  EXPECT_EQ(rows.front(), header);
  EXPECT_EQ(format_table(rows), shown);
}

TEST(Readme, shows_tables_that_berthctl_prints) {
  const auto lines = lines_of_readme();
  const auto begin = [&](std::string_view text) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].starts_with(text)) return i;
    ADD_FAILURE() << "no line begins with " << text;
    return lines.size() - 1;
  };
  expect_printed(lines, begin("NAMESPACE"), pod_header({.with_namespace = true, .wide = true}));
  expect_printed(lines, begin("$ berthctl get pods") + 1, pod_header({}));
}

}  // namespace
}  // namespace berth::ctl
