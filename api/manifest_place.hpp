// SPDX-License-Identifier: Apache-2.0

// Maps a validation path to the place in the document where the field is written.
#pragma once

#include <string_view>

#include "api/tree.hpp"

namespace berth::api {

struct Place {
  int line = 0;
  int column = 0;
};

// The place of the field, or of the nearest enclosing thing that is written: a missing field is
// shown at its parent. Kubernetes' paths do not always name the field; the nearest place serves
// then as well.
[[nodiscard]] Place place_of(const TreeNode& root, std::string_view path);

}  // namespace berth::api
