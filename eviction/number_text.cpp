// SPDX-License-Identifier: Apache-2.0

#include "eviction/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace berth::eviction {
namespace {

bool is_space(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

std::int64_t extreme(bool negative) {
  using Limits = std::numeric_limits<std::int64_t>;
  return negative ? Limits::min() : Limits::max();
}

}  // namespace

std::optional<std::int64_t> parse_number(std::string_view text) {
  const std::string_view digits = next_word(text);
  if (digits.empty() || digits.front() < '0' || digits.front() > '9') return std::nullopt;
  std::int64_t out = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, out);
  if (error != std::errc{} || rest != end || !next_word(text).empty()) return std::nullopt;
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

std::string_view next_word(std::string_view& line) {
  const auto* const begin = std::ranges::find_if_not(line, is_space);
  const auto* const end = std::find_if(begin, line.end(), is_space);
  line = std::string_view(end, line.end());
  return {begin, end};
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

void read_fields(std::string_view text, std::initializer_list<WantedField> wanted,
                 ParseValue parse) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const auto* const field = std::ranges::find(wanted, next_word(line), &WantedField::name);
    if (field == wanted.end()) continue;
    if (const auto value = parse(line)) field->into = value;
  }
}

}  // namespace berth::eviction
