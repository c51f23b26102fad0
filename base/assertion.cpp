// SPDX-License-Identifier: Apache-2.0

#include "base/assertion.hpp"

#include <cstdio>
#include <cstdlib>

namespace berth {

// Uses only what works in any state: no allocation, no locale. "<2>" is the journal's priority
// "critical".
void assertion_broken(std::string_view what, std::string_view about,
                      const std::source_location& where) {
  std::fprintf(stderr, "<2>berth: broken assertion: %.*s%s%.*s (%s:%u, %s)\n",
               static_cast<int>(what.size()), what.data(), about.empty() ? "" : ": ",
               static_cast<int>(about.size()), about.data(), where.file_name(),
               static_cast<unsigned>(where.line()), where.function_name());
  std::abort();
}

}  // namespace berth
