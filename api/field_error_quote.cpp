// SPDX-License-Identifier: Apache-2.0

// How Go prints a string: %q (go_quote) and encoding/json (go_json_quote). Kubernetes' messages
// show values in these two forms, and people compare them as text.
#include <cstdint>

#include "api/field_error.hpp"

namespace berth::api {

namespace {

struct Rune {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The UTF-8 rune at the start of the text, which is not empty.
Rune first_rune(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return Rune{lead, 1, true};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return Rune{lead, 1, false};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return Rune{lead, 1, false};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || surrogate || code > 0x10FFFF) return Rune{lead, 1, false};
  return Rune{code, length, true};
}

// Runes that %q escapes although they are valid: controls, spaces other than ' ', format
// characters, private use. The few ranges that occur in practice.
bool is_printable(std::uint32_t code) {
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };
  constexpr Range kHidden[] = {
      {0x00, 0x1F},     {0x7F, 0xA0},     {0xAD, 0xAD},     {0x1680, 0x1680},   {0x180E, 0x180E},
      {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000},   {0xE000, 0xF8FF},
      {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE007F}, {0xF0000, 0x10FFFF},
  };
  for (const Range& range : kHidden) {
    if (code >= range.first && code <= range.last) return false;
  }
  return true;
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out += kDigits[(value >> static_cast<unsigned>(shift)) & 0xFU];
  }
}

// The letter of a short escape of %q, or 0.
char short_escape(std::uint32_t code) {
  switch (code) {
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\v':
      return 'v';
    case '"':
      return '"';
    case '\\':
      return '\\';
    default:
      return 0;
  }
}

void append_go_rune(std::string& out, std::string_view raw, const Rune& rune) {
  if (!rune.valid) {
    out += "\\x";
    append_hex(out, rune.code, 2);
  } else if (const char letter = short_escape(rune.code); letter != 0) {
    out += '\\';
    out += letter;
  } else if (is_printable(rune.code)) {
    out += raw;
  } else if (rune.code < 0x20 || rune.code == 0x7F) {
    out += "\\x";
    append_hex(out, rune.code, 2);
  } else if (rune.code < 0x10000) {
    out += "\\u";
    append_hex(out, rune.code, 4);
  } else {
    out += "\\U";
    append_hex(out, rune.code, 8);
  }
}

void append_json_rune(std::string& out, std::string_view raw, const Rune& rune) {
  const bool has_short_form = rune.code == '"' || rune.code == '\\' || rune.code == '\b' ||
                              rune.code == '\f' || rune.code == '\n' || rune.code == '\r' ||
                              rune.code == '\t';
  const bool escaped = rune.code < 0x20 || rune.code == '<' || rune.code == '>' ||
                       rune.code == '&' || rune.code == 0x2028 || rune.code == 0x2029;
  if (!rune.valid) {
    out += "\\ufffd";
  } else if (has_short_form) {
    out += '\\';
    out += short_escape(rune.code);
  } else if (escaped) {
    out += "\\u";
    append_hex(out, rune.code, 4);
  } else {
    out += raw;
  }
}

template <class Append>
std::string quote(std::string_view text, Append append) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = first_rune(text);
    append(out, text.substr(0, rune.bytes), rune);
    text.remove_prefix(rune.bytes);
  }
  out += '"';
  return out;
}

}  // namespace

std::string go_quote(std::string_view text) {
  return quote(text, append_go_rune);
}

std::string go_json_quote(std::string_view text) {
  return quote(text, append_json_rune);
}

}  // namespace berth::api
