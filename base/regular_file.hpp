// SPDX-License-Identifier: Apache-2.0

// Opens a file for reading in a place where anybody may have put something else.
//
// A FIFO would block the reader until somebody writes, a link could lead anywhere, and a device
// could supply data without end. So the open does not block, does not follow a link at the end of
// the path, and accepts regular files only.
#pragma once

#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth {

// The error holds errno's text, without the path; kNotFound, kPermission, kInvalid (exists, but is
// no regular file) or kUnknown. `flags`: O_RDONLY, O_RDWR …
[[nodiscard]] Result<Descriptor> open_regular_file(const std::string& path, int flags);

}  // namespace berth
