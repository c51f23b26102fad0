// The known name that a mistyped one is nearest to, for "did you mean". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::control {

// By edit distance, case ignored; none if nothing is near (more than two letters or a third of them
// off).
[[nodiscard]] std::optional<std::string> nearest(std::string_view name,
                                                 const std::vector<std::string>& known);

}  // namespace berth::control
