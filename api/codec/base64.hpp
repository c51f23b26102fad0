// SPDX-License-Identifier: Apache-2.0

// Base64 as used in `[]byte` fields: the standard alphabet, with padding.
//
// Pure. Line breaks inside the text are ignored, as in Go; any other invalid byte makes decoding
// fail with its offset.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace berth::api {

[[nodiscard]] std::string to_base64(std::string_view data);

// Fails with "illegal base64 data at input byte N".
[[nodiscard]] Result<std::string> from_base64(std::string_view text);

}  // namespace berth::api
