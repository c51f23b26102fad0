// SPDX-License-Identifier: Apache-2.0

// Resolves which pod a user means.
//
// A manifest pod is called NAME-NODE; people type NAME. A full name always takes precedence over a
// short one. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace berth::control {

struct PodName {
  std::string namespace_{};
  std::string name{};

  auto operator<=>(const PodName&) const = default;
};

// Splits the input: "namespace/name" or "pod/name" or a name in `namespace_` ("default" if empty).
[[nodiscard]] PodName typed_pod_name(std::string_view namespace_, std::string_view name);

// The one of `pods` that `name` means in `namespace_` ("default" if empty); `name` may also be
// "namespace/name" or "pod/name". Errors: kNotFound (with a similar name, if there is one) or
// kInvalid.
[[nodiscard]] Result<PodName> resolve_pod_name(const std::vector<PodName>& pods,
                                               std::string_view namespace_, std::string_view name,
                                               std::string_view node_name);

}  // namespace berth::control
