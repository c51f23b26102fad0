// SPDX-License-Identifier: Apache-2.0

// Whole numbers as the kernel writes them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace berth::eviction {

// Digits with only white space around them; `std::nullopt` for anything else, or more than 2^63-1.
[[nodiscard]] std::optional<std::int64_t> parse_number(std::string_view text);

// Saturates at the largest and smallest 64-bit number.
[[nodiscard]] std::int64_t capped_sum(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t capped_product(std::int64_t a, std::int64_t b);

// Removes the next word from the front of `line` and returns it; empty if none is left.
[[nodiscard]] std::string_view next_word(std::string_view& line);
// Removes the next line from the front of `text` and returns it without its line end.
[[nodiscard]] std::string_view next_line(std::string_view& text);

// A field to look for in a file such as memory.stat, and where to store its value.
struct WantedField {
  std::string_view name{};
  std::optional<std::int64_t>& into;
};
// Parses what follows the name in its line; `std::nullopt` if that is not a value, so that the
// field stays as it is.
using ParseValue = std::optional<std::int64_t> (*)(std::string_view);
// If a name occurs repeatedly, its last line counts. Other lines cost a comparison, and no memory:
// these files are read at every look at the node.
void read_fields(std::string_view text, std::initializer_list<WantedField> wanted,
                 ParseValue parse);

}  // namespace berth::eviction
