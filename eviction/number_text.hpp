// Whole numbers as the kernel writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::eviction {

// Digits with nothing but space around them; anything else, or more than 2^63-1, is absent.
[[nodiscard]] std::optional<std::int64_t> parse_number(std::string_view text);

// What 64 bits cannot hold becomes the largest number, or of negative ones the smallest.
[[nodiscard]] std::int64_t capped_sum(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t capped_product(std::int64_t a, std::int64_t b);

// The next word of a line, taken off its front; empty when none is left.
[[nodiscard]] std::string_view take_word(std::string_view& line);
// The next line without its end, taken off the front.
[[nodiscard]] std::string_view take_line(std::string_view& text);

}  // namespace berth::eviction
