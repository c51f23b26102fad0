// SPDX-License-Identifier: Apache-2.0

// The type and value of a YAML scalar, by the rules of YAML 1.1 as Kubernetes applies them.
//
// Pure functions. The same rules decide which strings must be quoted when YAML is written.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "api/codec/tree.hpp"

namespace berth::api {

struct Scalar {
  NodeKind kind = NodeKind::kString;
  std::string text{};  // as in TreeNode::text
};

// Resolves a plain scalar without a tag. Fails for values that JSON cannot express (.inf, .nan).
[[nodiscard]] std::expected<Scalar, std::string> resolve_plain(std::string_view text);

// Resolves a scalar with one of the standard tags (tag:yaml.org,2002:int and so on); with any other
// tag it is a string.
[[nodiscard]] std::expected<Scalar, std::string> resolve_tagged(std::string_view tag,
                                                                std::string_view text);

// Whether a YAML 1.1 or 1.2 parser could take this plain text for something other than a string.
[[nodiscard]] bool could_be_another_type(std::string_view text);

}  // namespace berth::api
