// SPDX-License-Identifier: Apache-2.0

// Properties checked on a thousand sequences of random numbers (rapidcheck).
#pragma once

#include <cstdint>
#include <vector>

#include <rapidcheck.h>

namespace berth::scheduling {

// Random numbers from the whole range, from the first run on. rapidcheck draws the same numbers in
// every check of a process: `round` turns them into others.
inline std::vector<std::uint32_t> drawn(std::uint32_t round) {
  using Numbers = std::vector<std::uint32_t>;
  constexpr std::size_t kNumbers = 500;
  constexpr int kFullSize = 100;
  constexpr std::uint32_t kStep = 7919;
  Numbers numbers = *rc::gen::resize(
      kFullSize,
      rc::gen::container<Numbers>(kNumbers, rc::gen::inRange<std::uint32_t>(0, 1 << 20)));
  for (std::uint32_t& number : numbers) number += round * kStep;
  return numbers;
}

// `property` takes the round. A hundred clusters are too few for rare combinations.
template <class Property>
bool holds(Property&& property) {
  constexpr std::uint32_t kHundreds = 10;
  for (std::uint32_t round = 0; round < kHundreds; ++round) {
    if (!rc::check([&] { property(round); })) return false;
  }
  return true;
}

}  // namespace berth::scheduling
