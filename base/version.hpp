// SPDX-License-Identifier: Apache-2.0

// The build of berth that this binary is.
#pragma once

#include <string_view>

namespace berth {

// "0.1.0 (package 0.1.0-1, commit 2fdd4d8c01ab)" if the build of a package set both, else "0.1.0
// (commit 2fdd4d8c01ab)", or "0.1.0" if neither is known. "-dirty" after the commit means that
// files differed from it. The same source gives the same text: it contains no time or place.
[[nodiscard]] std::string_view build_version();

}  // namespace berth
