#include "api/yaml_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/json_text.hpp"
#include "api/utf8.hpp"
#include "api/yaml_scalar.hpp"

namespace berth::api {
namespace {

namespace json = boost::json;

bool is_printable(char32_t point) {
  return point == '\n' || (point >= 0x20 && point < 0x7F) || (point >= 0xA0 && point < 0xD800) ||
         (point >= 0xE000 && point != 0xFEFF && point < 0xFFFD) || point > 0xFFFF;
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    // Line separators count as line breaks for some readers.
    if (!is_printable(point.value) || point.value == 0x2028 || point.value == 0x2029) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

// Whether the syntax allows it without quotes; what it then means is another question.
bool has_plain_form(std::string_view text) {
  if (text.empty() || text.find('\n') != std::string_view::npos || !is_printable(text))
    return false;
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) {
    const bool opens = text.size() > 1 && text[1] != ' ' &&
                       (text.front() == '-' || text.front() == '?' || text.front() == ':');
    if (!opens) return false;
  }
  if (text.starts_with("---") || text.starts_with("...")) return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) {
    return false;
  }
  return true;
}

bool can_be_plain(std::string_view text) {
  return has_plain_form(text) && !could_be_another_type(text);
}

// Literal blocks keep everything but trailing blanks of a first line and what is not printable.
bool can_be_block(std::string_view text) {
  return text.find('\n') != std::string_view::npos && text.front() != ' ' && text.front() != '\n' &&
         text.find_first_not_of('\n') != std::string_view::npos &&
         text.find(" \n") == std::string_view::npos && text.back() != ' ' && is_printable(text);
}

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c;
  }
  return out + "'";
}

// As kubectl does: double quotes where the type is in doubt or escapes are needed, else single.
std::string quoted(std::string_view text) {
  const bool syntax_only = !text.empty() && is_printable(text) && !has_plain_form(text) &&
                           text.find('\n') == std::string_view::npos;
  if (syntax_only) return single_quoted(text);
  std::string out = "\"";
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::string_view bytes = text.substr(0, point.bytes);
    if (bytes == "\"" || bytes == "\\") {
      out.append("\\").append(bytes);
    } else if (bytes == "\n") {
      out += "\\n";
    } else if (bytes == "\t") {
      out += "\\t";
    } else if (bytes == "\r") {
      out += "\\r";
    } else if (!is_printable(bytes) && point.value < 0x10000) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(point.value));
    } else {
      out += bytes;
    }
    text.remove_prefix(point.bytes);
  }
  return out + "\"";
}

class Writer {
 public:
  std::string take() { return std::move(out_); }

  void document(const json::value& value) {
    if (is_full(value)) {
      contents(value, 0);
    } else {
      scalar(value, 0);
      out_ += '\n';
    }
  }

 private:
  // A mapping or list with something in it: what takes lines of its own.
  static bool is_full(const json::value& value) {
    return (value.is_object() && !value.get_object().empty()) ||
           (value.is_array() && !value.get_array().empty());
  }

  // The cursor stands where the first line begins, indented already.
  void contents(const json::value& value, std::size_t indent) {
    if (value.is_object()) {
      mapping(value.get_object(), indent);
    } else {
      list(value.get_array(), indent);
    }
  }

  void mapping(const json::object& object, std::size_t indent) {
    std::vector<const json::key_value_pair*> sorted;
    for (const json::key_value_pair& pair : object) sorted.push_back(&pair);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* left, const auto* right) { return left->key() < right->key(); });
    for (const json::key_value_pair* pair : sorted) {
      if (pair != sorted.front()) out_.append(indent, ' ');
      const std::string_view key = pair->key();
      out_ += can_be_plain(key) ? std::string(key) : quoted(key);
      out_ += ':';
      const json::value& value = pair->value();
      if (!is_full(value)) {
        out_ += ' ';
        scalar(value, indent);
        out_ += '\n';
        continue;
      }
      const std::size_t inner = value.is_array() ? indent : indent + 2;
      out_.append("\n").append(inner, ' ');
      contents(value, inner);
    }
  }

  void list(const json::array& array, std::size_t indent) {
    for (const json::value& item : array) {
      if (&item != &array.front()) out_.append(indent, ' ');
      out_ += "- ";
      if (is_full(item)) {
        contents(item, indent + 2);
      } else {
        scalar(item, indent);
        out_ += '\n';
      }
    }
  }

  void scalar(const json::value& value, std::size_t indent) {
    if (!value.is_string()) {
      out_ += compact_json(value);
      return;
    }
    const std::string_view text = value.get_string();
    if (can_be_plain(text)) {
      out_ += text;
    } else if (can_be_block(text)) {
      block(text, indent + 2);
    } else {
      out_ += quoted(text);
    }
  }

  // Without the last line break, which the caller writes.
  void block(std::string_view text, std::size_t indent) {
    out_ += text.ends_with("\n\n") ? "|+" : text.ends_with('\n') ? "|" : "|-";
    if (text.ends_with('\n')) text.remove_suffix(1);
    while (true) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out_ += '\n';
      if (end > 0) out_.append(indent, ' ').append(text.substr(0, end));
      if (end == text.size()) return;
      text.remove_prefix(end + 1);
    }
  }

  std::string out_{};
};

}  // namespace

std::string yaml_text(const boost::json::value& value) {
  Writer writer;
  writer.document(value);
  return writer.take();
}

}  // namespace berth::api
