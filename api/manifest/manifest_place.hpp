// SPDX-License-Identifier: Apache-2.0

// Maps a validation path to the field's position in the document.
#pragma once

#include <string_view>

#include "api/codec/tree.hpp"

namespace berth::api {

struct Place {
  int line = 0;
  int column = 0;
};

// The position of the field, or of the nearest enclosing node that is written: a missing field is
// shown at its parent. Kubernetes' paths do not always name the field; the nearest node is used
// then as well.
[[nodiscard]] Place place_of(const TreeNode& root, std::string_view path);

}  // namespace berth::api
