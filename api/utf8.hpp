// SPDX-License-Identifier: Apache-2.0

// UTF-8, one code point at a time.
//
// Pure. Invalid UTF-8 is read as U+FFFD, one byte at a time, as in Go.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::api {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // consumed; 0 only for an empty text
};

[[nodiscard]] CodePoint first_code_point(std::string_view text);

void append_utf8(char32_t point, std::string& out);

// The same text, with U+FFFD for each invalid byte.
[[nodiscard]] std::string valid_utf8(std::string_view text);

// The first character in quotes for a message: 'x', or its number if it is not printable.
[[nodiscard]] std::string quoted_character(std::string_view text);

}  // namespace berth::api
