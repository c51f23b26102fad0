// SPDX-License-Identifier: Apache-2.0

// A hash over texts, FNV-1a: the same on every machine and in every build, so that a run's output
// can be compared with the one before a change.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::ledger_test {

class TextHash {
 public:
  void add(std::string_view text) {
    for (const char letter : text) add_byte(static_cast<unsigned char>(letter));
  }
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte)
      add_byte(static_cast<unsigned char>((number >> (8 * byte)) & 0xff));
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }

  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace berth::ledger_test
