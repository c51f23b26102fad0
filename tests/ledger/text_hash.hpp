// SPDX-License-Identifier: Apache-2.0

// A hash over texts, FNV-1a: the same on every machine and in every build, so that a run's output
// can be compared with the one before a change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace berth::ledger_test {

class TextHash {
 public:
  // A folder that a run made for itself: its name does not count from now on.
  void leave_out(std::string folder) { folder_ = std::move(folder); }

  void add(std::string_view text) {
    auto at = folder_.empty() ? std::string_view::npos : text.find(folder_);
    for (; at != std::string_view::npos; at = text.find(folder_)) {
      add_letters(text.substr(0, at));
      text.remove_prefix(at + folder_.size());
    }
    add_letters(text);
  }
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte)
      add_byte(static_cast<unsigned char>((number >> (8 * byte)) & 0xff));
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_letters(std::string_view text) {
    for (const char letter : text) add_byte(static_cast<unsigned char>(letter));
  }
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }

  std::string folder_{};  // empty if none
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace berth::ledger_test
