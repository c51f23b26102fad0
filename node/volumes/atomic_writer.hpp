// SPDX-License-Identifier: Apache-2.0

// Updates all files of a volume atomically.
//
// Uses the kubelet's layout, which programs that watch their configuration rely on: the files are
// in a directory named by the time; `..data` is a link to it; the visible names are links through
// `..data`. An update is a new directory and one rename of `..data`. Blocking. If an update is
// interrupted anywhere, the next call repeats it and removes the remains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/volumes/volume_payload.hpp"

namespace berth::node {

// Makes the existing directory show exactly the payload; `group`: the owning group. Returns false
// if it already did and nothing was written. Contents are compared, modes are not (as in the
// kubelet, a change of modes alone has no effect).
[[nodiscard]] Result<bool> write_payload(const std::string& directory, const Payload& payload,
                                         const std::optional<std::int64_t>& group, WallTime now);

}  // namespace berth::node
