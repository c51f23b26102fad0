// SPDX-License-Identifier: Apache-2.0

// A text that is equal for equal parts, and only for them: the key of columns.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::scheduling {

class KeyText {
 public:
  // Includes the part's length, so that different lists of parts give different texts.
  KeyText& add(std::string_view part) {
    add(static_cast<std::int64_t>(part.size()));
    text_.append(part);
    return *this;
  }
  KeyText& add(std::int64_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text_.append(digits, end);
    text_ += ',';
    return *this;
  }
  KeyText& mark(char separator) {
    text_ += separator;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_{};
};

}  // namespace berth::scheduling
