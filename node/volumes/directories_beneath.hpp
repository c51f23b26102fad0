// SPDX-License-Identifier: Apache-2.0

// Directories inside a volume, where a container may have placed links.
//
// The kernel resolves the path (openat2, RESOLVE_BENEATH): links may lead anywhere inside the
// volume, never out of it. Blocking.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/descriptor.hpp"

namespace berth::node {

// Creates what is missing of `path` below `top`, with exactly this mode. False, with errno, if that
// fails or the path leads out of `top`.
[[nodiscard]] bool make_directories_beneath(const Descriptor& top, const std::string& path,
                                            mode_t mode);

}  // namespace berth::node
