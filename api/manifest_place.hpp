// Where in a document a field is written that a path of validation names.
#pragma once

#include <string_view>

#include "api/tree.hpp"

namespace berth::api {

struct Place {
  int line = 0;
  int column = 0;
};

// The place of the field, or of the nearest thing around it that is written: a missing field is
// shown at its parent. Paths of Kubernetes do not always name the field; then, too, the nearest.
[[nodiscard]] Place place_of(const TreeNode& root, std::string_view path);

}  // namespace berth::api
