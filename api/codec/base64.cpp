// SPDX-License-Identifier: Apache-2.0

#include "api/codec/base64.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace berth::api {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view data) {
  std::string out;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    const std::string_view group = data.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= group.size() ? kAlphabet[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

Result<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  std::size_t digits = 0;  // in the group being read
  std::size_t padding = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || c == '\r') continue;
    const std::size_t value = kAlphabet.find(c);
    const bool pads = c == '=' && digits + padding >= 2 && digits >= 2 && digits + padding < 4;
    const bool illegal = pads ? false : value == std::string_view::npos || padding > 0;
    if (illegal) {
      return fail(ErrorCode::kInvalid, fmt::format("illegal base64 data at input byte {}", i));
    }
    if (pads) {
      ++padding;
      bits <<= 6;
    } else {
      ++digits;
      bits = bits << 6 | static_cast<std::uint32_t>(value);
    }
    if (digits + padding < 4) continue;
    for (std::size_t j = 0; j < 3 - padding; ++j) out += static_cast<char>(bits >> (16 - 8 * j));
    bits = 0;
    digits = 0;
    // Nothing may follow padding; `padding` stays set to detect it.
  }
  if (digits > 0) {
    return fail(ErrorCode::kInvalid,
                fmt::format("illegal base64 data at input byte {}", text.size()));
  }
  return out;
}

}  // namespace berth::api
