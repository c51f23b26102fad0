// The known name that a misspelt one was probably meant to be.
//
// Pure: the fewest letters changed, added, dropped or swapped (of neighbours), where case counts
// for nothing; none if it takes more than a third of the letters (but one always may differ).
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace berth::api {

[[nodiscard]] std::optional<std::string_view> nearest_name(std::string_view name,
                                                           std::span<const std::string_view> known);

}  // namespace berth::api
