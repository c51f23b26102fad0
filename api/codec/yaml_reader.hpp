// SPDX-License-Identifier: Apache-2.0

// Parses YAML text to trees, one for each non-empty document.
//
// YAML 1.1 as Kubernetes reads it. With `first_only`, text after the first document is not even
// parsed (as in the kubelet). Pure.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "api/codec/tree.hpp"

namespace berth::api {

enum class Documents : unsigned char { kAll, kFirst };

[[nodiscard]] std::expected<std::vector<Tree>, Problem> read_yaml(std::string_view text,
                                                                  Documents documents,
                                                                  const TreeLimits& limits = {});

}  // namespace berth::api
