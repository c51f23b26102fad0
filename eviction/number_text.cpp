// SPDX-License-Identifier: Apache-2.0

#include "eviction/number_text.hpp"

#include <charconv>
#include <limits>

namespace berth::eviction {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::int64_t extreme(bool negative) {
  using Limits = std::numeric_limits<std::int64_t>;
  return negative ? Limits::min() : Limits::max();
}

}  // namespace

std::optional<std::int64_t> parse_number(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  if (text.front() < '0' || text.front() > '9') return std::nullopt;
  std::int64_t out = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [rest, error] = std::from_chars(begin, end, out);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return out;
}

std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? extreme(a < 0) : out;
}

std::int64_t capped_product(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? extreme((a < 0) != (b < 0)) : out;
}

std::string_view take_word(std::string_view& line) {
  const auto first = line.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(first);
  const auto word = line.substr(0, line.find_first_of(kSpace));
  line.remove_prefix(word.size());
  return word;
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace berth::eviction
