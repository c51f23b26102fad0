// Opening a file to read it where anybody may have put something else.
//
// A pipe would hold whoever opens or reads it until somebody writes, a link could lead anywhere,
// and a device could give without end. So neither is opened: not blocking, no link at the end of
// the path, and regular files alone.
#pragma once

#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace berth {

// The error is errno's text, without the path; kNotFound, kPermission, kInvalid (it is there and no
// regular file) or kUnknown. `flags`: O_RDONLY, O_RDWR …
[[nodiscard]] Result<Descriptor> open_regular_file(const std::string& path, int flags);

}  // namespace berth
