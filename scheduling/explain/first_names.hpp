// SPDX-License-Identifier: Apache-2.0

// Names for a sentence: the first few, and how many more there are. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::scheduling {

class FirstNames {
 public:
  explicit FirstNames(std::size_t at_most = 3) : at_most_(at_most) {}

  void add(std::string_view name) {
    if (has_room()) text_.append(text_.empty() ? "" : ", ").append(name);
    ++number_;
  }

  // Whether the next name will be part of the text.
  [[nodiscard]] bool has_room() const { return number_ < at_most_; }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] bool empty() const { return number_ == 0; }
  // "a, b, c and 2 more".
  [[nodiscard]] std::string text() const {
    if (number_ <= at_most_) return text_;
    return text_ + " and " + std::to_string(number_ - at_most_) + " more";
  }

 private:
  std::size_t at_most_;
  std::size_t number_ = 0;
  std::string text_{};
};

}  // namespace berth::scheduling
