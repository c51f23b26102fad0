// SPDX-License-Identifier: Apache-2.0

#include "api/codec/json_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/utf8.hpp"

namespace berth::api {
namespace {

namespace json = boost::json;

class Writer {
 public:
  Writer(std::string& out, bool pretty) : out_(out), pretty_(pretty) {}

  void write(const json::value& value) {
    switch (value.kind()) {
      case json::kind::null:
        out_ += "null";
        break;
      case json::kind::bool_:
        out_ += value.get_bool() ? "true" : "false";
        break;
      case json::kind::int64:
        out_ += std::to_string(value.get_int64());
        break;
      case json::kind::uint64:
        out_ += std::to_string(value.get_uint64());
        break;
      case json::kind::double_:
        out_ += json_number(value.get_double());
        break;
      case json::kind::string:
        append_json_string(value.get_string(), out_);
        break;
      case json::kind::array:
        write(value.get_array());
        break;
      case json::kind::object:
        write(value.get_object());
        break;
    }
  }

 private:
  void write(const json::array& array) {
    if (array.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const json::value& item : array) {
      begin_item(first);
      write(item);
    }
    end_items(']');
  }

  void write(const json::object& object) {
    if (object.empty()) {
      out_ += "{}";
      return;
    }
    out_ += '{';
    ++depth_;
    bool first = true;
    for (const auto& [key, item] : object) {
      begin_item(first);
      append_json_string(key, out_);
      out_ += pretty_ ? ": " : ":";
      write(item);
    }
    end_items('}');
  }

  void begin_item(bool& first) {
    if (!first) out_ += ',';
    first = false;
    new_line();
  }

  void end_items(char bracket) {
    --depth_;
    new_line();
    out_ += bracket;
  }

  void new_line() {
    if (pretty_) out_.append("\n").append(depth_ * 4, ' ');
  }

  std::string& out_;
  bool pretty_;
  std::size_t depth_ = 0;
};

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else if (text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029") {
      out += text.substr(i, 3) == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else {
      const CodePoint point = first_code_point(text.substr(i));
      append_utf8(point.value, out);
      i += point.bytes - 1;
    }
  }
  out += '"';
}

std::string json_number(double number) {
  // The fewest digits that identify the number, as d.ddde±dd.
  char buffer[64];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific);
  std::string text(buffer, error == std::errc{} ? end : buffer);
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= 1e-6 && size < 1e21);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  if (!plain) {
    // Go writes e-9 where C++ writes e-09.
    if (text[e + 2] == '0') text.erase(e + 2, 1);
    return text;
  }
  const int exponent = std::atoi(text.c_str() + e + 1);
  const bool negative = text.front() == '-';
  std::string digits = text.substr(negative ? 1 : 0, e - (negative ? 1 : 0));
  std::erase(digits, '.');
  if (exponent < 0) {
    digits.insert(0, std::string(static_cast<std::size_t>(-exponent), '0'));
    digits.insert(1, ".");
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() > whole) {
      digits.insert(whole, ".");
    } else {
      digits.append(whole - digits.size(), '0');
    }
  }
  return (negative ? "-" : "") + digits;
}

std::string compact_json(const boost::json::value& value) {
  std::string out;
  Writer(out, false).write(value);
  return out;
}

std::string pretty_json(const boost::json::value& value) {
  std::string out;
  Writer(out, true).write(value);
  return out;
}

}  // namespace berth::api
