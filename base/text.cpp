// SPDX-License-Identifier: Apache-2.0

#include "base/text.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <utf8cpp/utf8/checked.h>
#include <utf8cpp/utf8/unchecked.h>

namespace berth {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Beyond ASCII: C1, the Arabic letter mark, directional marks, line and paragraph separators,
// embeddings and overrides, isolates, the byte order mark.
constexpr Range kHidden[] = {{0x80, 0x9F},     {0x61C, 0x61C},   {0x200E, 0x200F},
                             {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};

bool is_hidden(std::uint32_t character) {
  return std::ranges::any_of(kHidden, [character](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; });
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
    out += kDigits[(value >> shift) & 0xFU];
}

void append_byte(std::string& out, char byte) {
  out += "\\x";
  append_hex(out, static_cast<unsigned char>(byte), 2);
}

enum class Breaks { kShown, kKept };

void append_ascii(std::string& out, char c, Breaks breaks) {
  if (c == '\n' || c == '\t') {
    if (breaks == Breaks::kKept)
      out += c;
    else
      out += c == '\n' ? "\\n" : "\\t";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\x1b') {
    out += "^[";
  } else if (c == '\x7f') {
    out += "\\u007f";  // JSON leaves it unescaped
  } else if (c < ' ') {
    append_byte(out, c);
  } else {
    out += c;
  }
}

std::string shown(std::string_view bytes, Breaks breaks) {
  if (is_plain(bytes)) return std::string(bytes);
  const std::string text = valid_text(std::string(bytes));
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (auto at = text.begin(); at != text.end();) {
    if (static_cast<unsigned char>(*at) < 0x80) {
      append_ascii(out, *at++, breaks);
      continue;
    }
    const auto begin = at;
    const std::uint32_t character = utf8::unchecked::next(at);
    if (is_hidden(character)) {
      out += "\\u";
      append_hex(out, character, 4);
    } else {
      out.append(begin, at);
    }
  }
  return out;
}

// The number of bytes of a character that begins with this one; 0 if none does.
std::size_t length_of_character(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (first < 0xE0) return 2;
  return first < 0xF0 ? 3 : 4;
}

// The number of bytes at the end that begin a character and do not complete it.
std::size_t begun_at_end(std::string_view bytes) {
  constexpr std::size_t kMostBegun = 3;
  for (std::size_t back = 1; back <= std::min(kMostBegun, bytes.size()); ++back) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((byte & 0xC0U) != 0x80U) return length_of_character(byte) > back ? back : 0;
  }
  return 0;
}

}  // namespace

std::string valid_text(std::string text) {
  auto bad = utf8::find_invalid(text.begin(), text.end());
  if (bad == text.end()) return text;
  std::string out;
  for (auto at = text.begin();;) {
    out.append(at, bad);
    if (bad == text.end()) return out;
    append_byte(out, *bad);
    at = bad + 1;
    bad = utf8::find_invalid(at, text.end());
  }
}

// Invalid text (more continuation bytes in a row than a character has) is cut at the limit itself.
std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  constexpr std::size_t kLongestCharacter = 4;
  for (std::size_t back = 0; back < kLongestCharacter && back <= most; ++back) {
    const auto next = static_cast<unsigned char>(text[most - back]);
    if ((next & 0xC0U) != 0x80U) return text.substr(0, most - back);
  }
  return text.substr(0, most);
}

std::string one_line(std::string_view text) {
  return shown(text, Breaks::kShown);
}

std::string terminal_text(std::string_view text) {
  return shown(text, Breaks::kKept);
}

std::string TerminalTextPieces::next(std::string_view piece) {
  kept_.append(piece);
  const std::size_t begun = begun_at_end(kept_);
  std::string whole = std::exchange(kept_, kept_.substr(kept_.size() - begun));
  whole.resize(whole.size() - begun);
  return terminal_text(whole);
}

std::string TerminalTextPieces::rest() {
  return terminal_text(std::exchange(kept_, {}));
}

}  // namespace berth
