// SPDX-License-Identifier: Apache-2.0

#include "api/codec/json_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/utf8.hpp"

namespace berth::api {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// A recursive descent parser that tracks its position. It stops at the first problem.
class Parser {
 public:
  Parser(std::string_view text, const TreeLimits& limits) : text_(text), limits_(limits) {}

  std::expected<Tree, Problem> run() {
    Tree tree;
    if (value(tree.root, 0)) {
      skip_blank();
      if (at_ < text_.size()) give_up(unexpected_here("after the document's end"));
    }
    if (problem_) return std::unexpected(*std::move(problem_));
    return tree;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  [[nodiscard]] int column() const { return static_cast<int>(at_ - line_start_) + 1; }

  void skip_blank() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  bool give_up(std::string message) {
    if (!problem_) problem_ = Problem{{}, line_, column(), std::move(message)};
    return false;
  }

  [[nodiscard]] std::string unexpected_here(std::string_view where) const {
    if (at_ >= text_.size()) return "unexpected end of the JSON text";
    return fmt::format("unexpected character {} {}", quoted_character(text_.substr(at_)), where);
  }

  bool value(TreeNode& node, int depth) {
    skip_blank();
    node.line = line_;
    node.column = column();
    if (depth > limits_.depth) {
      return give_up(fmt::format("nested deeper than {} levels", limits_.depth));
    }
    if (++nodes_ > limits_.nodes) {
      return give_up(fmt::format("more than {} values", limits_.nodes));
    }
    switch (peek()) {
      case '{':
        return mapping(node, depth);
      case '[':
        return sequence(node, depth);
      case '"':
        node.kind = NodeKind::kString;
        return string(node.text);
      case 't':
        return word(node, "true", NodeKind::kBool);
      case 'f':
        return word(node, "false", NodeKind::kBool);
      case 'n':
        return word(node, "null", NodeKind::kNull);
      default:
        return number(node);
    }
  }

  bool word(TreeNode& node, std::string_view expected, NodeKind kind) {
    for (const char c : expected) {
      if (peek() != c) return give_up(unexpected_here(fmt::format("in {}", expected)));
      ++at_;
    }
    node.kind = kind;
    if (kind == NodeKind::kBool) node.text = expected;
    return true;
  }

  bool digits() {
    if (!is_digit(peek())) return give_up(unexpected_here("where a digit is needed"));
    while (is_digit(peek())) ++at_;
    return true;
  }

  bool number(TreeNode& node) {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (at_ == start && !is_digit(peek())) {
      return give_up(unexpected_here("where a value should begin"));
    }
    if (peek() == '0') {
      ++at_;
    } else if (!digits()) {
      return false;
    }
    if (peek() == '.') {
      ++at_;
      if (!digits()) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return false;
    }
    node.kind = NodeKind::kNumber;
    node.text = text_.substr(start, at_ - start);
    return true;
  }

  bool string(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!escape(out)) return false;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        return give_up(unexpected_here("inside a string"));
      } else {
        const CodePoint point = first_code_point(text_.substr(at_));
        append_utf8(point.value, out);
        at_ += point.bytes;
      }
    }
    return give_up("unexpected end of the JSON text");
  }

  bool escape(std::string& out) {
    ++at_;
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    if (c == 'u') return unicode_escape(out);
    const std::size_t index = c == '\0' ? std::string_view::npos : kEscapes.find(c);
    if (index == std::string_view::npos) return give_up(unexpected_here("after a backslash"));
    out += kMeanings[index];
    ++at_;
    return true;
  }

  // To be called at the 'u' of \u; consumes the four digits.
  std::optional<char32_t> four_hex_digits() {
    char32_t value = 0;
    for (std::size_t i = 1; i <= 4; ++i) {
      const char c = at_ + i < text_.size() ? text_[at_ + i] : '\0';
      const std::size_t digit =
          std::string_view("0123456789abcdef")
              .find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
      if (c == '\0' || digit == std::string_view::npos) return std::nullopt;
      value = value * 16 + static_cast<char32_t>(digit);
    }
    at_ += 5;
    return value;
  }

  // A lone surrogate becomes U+FFFD, as in Go.
  bool unicode_escape(std::string& out) {
    const std::optional<char32_t> first = four_hex_digits();
    if (!first) return give_up("\\u without four hexadecimal digits");
    char32_t point = *first;
    const bool high = point >= 0xD800 && point < 0xDC00;
    if (high && text_.substr(at_, 2) == "\\u") {
      const std::size_t back = at_;
      ++at_;
      const std::optional<char32_t> second = four_hex_digits();
      if (second && *second >= 0xDC00 && *second < 0xE000) {
        append_utf8(0x10000 + ((point - 0xD800) << 10) + (*second - 0xDC00), out);
        return true;
      }
      at_ = back;
    }
    if (point >= 0xD800 && point < 0xE000) point = 0xFFFD;
    append_utf8(point, out);
    return true;
  }

  bool sequence(TreeNode& node, int depth) {
    node.kind = NodeKind::kSequence;
    ++at_;
    skip_blank();
    if (peek() == ']') {
      ++at_;
      return true;
    }
    while (true) {
      node.items.emplace_back();
      if (!value(node.items.back(), depth + 1)) return false;
      skip_blank();
      const char c = peek();
      if (c != ',' && c != ']') return give_up(unexpected_here("after a list's element"));
      ++at_;
      if (c == ']') return true;
    }
  }

  bool mapping(TreeNode& node, int depth) {
    node.kind = NodeKind::kMapping;
    ++at_;
    skip_blank();
    if (peek() == '}') {
      ++at_;
      return true;
    }
    while (true) {
      skip_blank();
      if (peek() != '"') return give_up(unexpected_here("where a field's name should begin"));
      TreeEntry& entry = node.entries.emplace_back();
      entry.line = line_;
      entry.column = column();
      if (!string(entry.key)) return false;
      skip_blank();
      if (peek() != ':') return give_up(unexpected_here("after a field's name"));
      ++at_;
      if (!value(entry.value, depth + 1)) return false;
      skip_blank();
      const char c = peek();
      if (c != ',' && c != '}') return give_up(unexpected_here("after a field's value"));
      ++at_;
      if (c == '}') return true;
    }
  }

  std::string_view text_;
  TreeLimits limits_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  std::size_t nodes_ = 0;
  std::optional<Problem> problem_{};
};

}  // namespace

std::expected<Tree, Problem> read_json(std::string_view text, const TreeLimits& limits) {
  return Parser(text, limits).run();
}

}  // namespace berth::api
