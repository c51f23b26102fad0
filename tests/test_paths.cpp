// SPDX-License-Identifier: Apache-2.0

#include "tests/test_paths.hpp"

namespace berth {

std::filesystem::path source_dir() {
  return BERTH_SOURCE_DIR;
}

std::filesystem::path test_data() {
  return source_dir() / "tests/data";
}

}  // namespace berth
