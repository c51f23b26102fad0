// SPDX-License-Identifier: Apache-2.0

#include "api/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace berth::api {
namespace {

constexpr CodePoint kBroken{0xFFFD, 1};

}  // namespace

CodePoint first_code_point(std::string_view text) {
  if (text.empty()) return CodePoint{};
  const auto byte = [text](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return kBroken;
  char32_t value = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return kBroken;
    value = value << 6 | (byte(i) & 0x3F);
  }
  const char32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
  if (value < least || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return kBroken;
  return {value, size};
}

void append_utf8(char32_t point, std::string& out) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | point >> 6);
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | point >> 18);
    put(0x80 | (point >> 12 & 0x3F));
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    append_utf8(point.value, valid);
    text.remove_prefix(point.bytes);
  }
  return valid;
}

std::string quoted_character(std::string_view text) {
  const CodePoint point = first_code_point(text);
  if (point.value < 0x20 || point.value == 0x7F || point.value == 0xFFFD) {
    return fmt::format("U+{:04X}", static_cast<unsigned>(point.value));
  }
  return fmt::format("'{}'", text.substr(0, point.bytes));
}

}  // namespace berth::api
