// SPDX-License-Identifier: Apache-2.0

// A fuzz target: a function that libFuzzer calls with arbitrary bytes, and that aborts when a
// property is violated. The same function is run over the corpus as a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

// Always 0; a violated property aborts the process.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace berth::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  const void* bytes = data;
  return size == 0 ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

inline void require(bool holds, std::string_view what, std::string_view about = {}) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n%s\n", std::string(what).c_str(),
               std::string(about).c_str());
  std::abort();
}

}  // namespace berth::fuzz
