// SPDX-License-Identifier: Apache-2.0

// Rows of text in aligned columns, as kubectl prints them: three spaces between columns, nothing
// truncated, no trailing blanks. A cell is always one line (base/text.hpp). Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace berth::ctl {

using Row = std::vector<std::string>;

// The width each column needs.
[[nodiscard]] std::vector<std::size_t> column_widths(const std::vector<Row>& rows);

// One line, newline included. Cells beyond `widths` are not padded.
[[nodiscard]] std::string format_row(const Row& row, const std::vector<std::size_t>& widths);

[[nodiscard]] std::string format_table(const std::vector<Row>& rows);

}  // namespace berth::ctl
