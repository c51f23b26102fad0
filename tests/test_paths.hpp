// SPDX-License-Identifier: Apache-2.0

// Where tests find the checkout and the data in it.
//
// The two paths are compiled into one file, so that everything else of the tests compiles to the
// same objects in every checkout, which a compiler cache can share.
#pragma once

#include <filesystem>

namespace berth {

[[nodiscard]] std::filesystem::path source_dir();
[[nodiscard]] std::filesystem::path test_data();  // tests/data

}  // namespace berth
