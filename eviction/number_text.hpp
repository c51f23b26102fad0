// Whole numbers as the kernel writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::eviction {

// Digits and nothing else but space around them. None: anything else, or more than 2^63-1.
[[nodiscard]] std::optional<std::int64_t> parse_number(std::string_view text);

// Of numbers that are not negative; at most 2^63-1.
[[nodiscard]] std::int64_t capped_sum(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t capped_product(std::int64_t a, std::int64_t b);

// The words of a line; takes them off its front. Empty: there is none left.
[[nodiscard]] std::string_view take_word(std::string_view& line);
// The next line, without its end; takes it off the front.
[[nodiscard]] std::string_view take_line(std::string_view& text);

}  // namespace berth::eviction
