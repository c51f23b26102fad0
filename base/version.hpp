// SPDX-License-Identifier: Apache-2.0

// Which build of berth this is.
#pragma once

#include <string_view>

namespace berth {

// "0.1.0 (package 0.1.0-1, commit 2fdd4d8c01ab)" where a package's build named itself, else "0.1.0
// (commit 2fdd4d8c01ab)", or "0.1.0" where nothing is known. "-dirty" after the commit: files
// differed from it. The same source gives the same text: there is no time or place in it.
[[nodiscard]] std::string_view build_version();

}  // namespace berth
