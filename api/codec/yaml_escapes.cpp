// SPDX-License-Identifier: Apache-2.0

#include "api/codec/yaml_escapes.hpp"

#include <bitset>
#include <cstdint>

namespace berth::api {
namespace {

constexpr std::string_view kQuoteEscape = "\\'";

// libyaml reads UTF-16 as well, in which these bytes have another meaning.
bool is_utf16(std::string_view text) {
  return text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE");
}

// The private use area, U+E000 to U+F8FF: three bytes each in UTF-8.
constexpr std::uint32_t kFirstPrivate = 0xE000;
constexpr std::uint32_t kPrivateCharacters = 0xF8FF - kFirstPrivate + 1;

// A private-use character that the text does not contain; empty if it contains all of them.
std::string unused_character(std::string_view text) {
  const auto byte = [&text](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(text[at]);
  };
  std::bitset<kPrivateCharacters> used;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (byte(i) != 0xEE && byte(i) != 0xEF) continue;
    const std::uint32_t code =
        ((byte(i) & 0xFU) << 12U) | ((byte(i + 1) & 0x3FU) << 6U) | (byte(i + 2) & 0x3FU);
    if (code - kFirstPrivate < kPrivateCharacters) used.set(code - kFirstPrivate);
  }
  if (used.all()) return {};
  std::uint32_t code = kFirstPrivate;
  while (used.test(code - kFirstPrivate)) ++code;
  return {static_cast<char>(0xE0 | (code >> 12U)), static_cast<char>(0x80 | ((code >> 6U) & 0x3FU)),
          static_cast<char>(0x80 | (code & 0x3FU))};
}

}  // namespace

YamlEscapes::YamlEscapes(std::string_view text) : original_(text) {
  std::size_t found = text.find(kQuoteEscape);
  if (found == text.npos || is_utf16(text)) return;
  marker_ = unused_character(text);
  if (marker_.empty()) return;
  std::size_t copied = 0;
  for (; found != text.npos; found = text.find(kQuoteEscape, found + 1)) {
    // Backslashes pair up from the first one on: only the last of an odd number escapes.
    std::size_t first = found;
    while (first > 0 && text[first - 1] == '\\') --first;
    if ((found - first) % 2 != 0) continue;
    marked_ += text.substr(copied, found - copied);
    marked_ += marker_;
    copied = found + 1;
  }
  marked_ += text.substr(copied);
}

std::string YamlEscapes::scalar(std::string_view read, bool double_quoted) const {
  std::string text;
  std::size_t copied = 0;
  while (!marker_.empty()) {
    const std::size_t found = read.find(marker_, copied);
    if (found == read.npos) break;
    text += read.substr(copied, found - copied);
    if (!double_quoted) text += '\\';
    copied = found + marker_.size();
  }
  text += read.substr(copied);
  return text;
}

std::size_t YamlEscapes::original_size(std::string_view bytes) const {
  std::size_t size = bytes.size();
  if (marker_.empty()) return size;
  for (auto found = bytes.find(marker_); found != bytes.npos;
       found = bytes.find(marker_, found + marker_.size())) {
    size -= marker_.size() - 1;
  }
  return size;
}

}  // namespace berth::api
