// SPDX-License-Identifier: Apache-2.0

// Which build of berth this is.
#pragma once

#include <string_view>

namespace berth {

// "0.1.0 (commit 2fdd4d8c01ab)" where it was configured in a git checkout, "0.1.0 (package
// 0.1.0-1)" where a package's build named itself, "0.1.0" where neither is known. The same source
// gives the same text: there is no time or place of the build in it.
[[nodiscard]] std::string_view build_version();

}  // namespace berth
