// SPDX-License-Identifier: Apache-2.0

// The source of all chance in a simulation: a seed, and nothing else.
//
// Own arithmetic (splitmix64), because the distributions of the standard library may differ from
// one library to the next and a seed must replay anywhere. Each part of the fake world has a stream
// of its own (`fork`), so that an additional call in one part does not change the random numbers of
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::simulation {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] Random fork(std::string_view part) const {
    std::uint64_t mixed = state_ ^ 0xcbf29ce484222325ULL;
    for (const char letter : part) {
      mixed = (mixed ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    }
    Random child(mixed);
    (void)child.next();  // neighbouring seeds should not begin alike
    return child;
  }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Both ends included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(next() % span);
  }
  Nanoseconds between(Nanoseconds low, Nanoseconds high) {
    return Nanoseconds(between(low.count(), high.count()));
  }

  // True so many times in a thousand. A chance of 0 draws nothing.
  bool chance(int per_mille) { return per_mille > 0 && between(0, 999) < per_mille; }

  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(
        between(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1],
                items[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
    }
  }

  std::string hex(std::size_t digits) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    while (text.size() < digits) {
      for (std::uint64_t bits = next(), i = 0; i < 16 && text.size() < digits; ++i, bits >>= 4) {
        text += kDigits[bits & 15];
      }
    }
    return text;
  }

 private:
  std::uint64_t state_;
};

}  // namespace berth::simulation
