// SPDX-License-Identifier: Apache-2.0

// Parses JSON text to a tree.
//
// RFC 8259 and nothing more; invalid UTF-8 becomes U+FFFD as in Go. The text must be one value,
// followed only by white space. Pure.
#pragma once

#include <expected>
#include <string_view>

#include "api/codec/tree.hpp"

namespace berth::api {

[[nodiscard]] std::expected<Tree, Problem> read_json(std::string_view text,
                                                     const TreeLimits& limits = {});

}  // namespace berth::api
