// SPDX-License-Identifier: Apache-2.0

// The known name that a misspelt one was probably meant to be.
//
// Pure: the name with the fewest letters changed, added, dropped or swapped (neighbours), ignoring
// case; unset if more than a third of the letters differ (though one may always differ).
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace berth::api {

[[nodiscard]] std::optional<std::string_view> nearest_name(std::string_view name,
                                                           std::span<const std::string_view> known);

}  // namespace berth::api
