// SPDX-License-Identifier: Apache-2.0

// Updates all files of a volume atomically.
//
// Uses the kubelet's layout, which programs that watch their configuration rely on: the files are
// in a directory named by the time; `..data` is a link to it; the visible names are links through
// `..data`. An update is a new directory and one rename of `..data`. Blocking. If an update is
// interrupted anywhere, the next call repeats it and removes the remains.
//
// A container that reaches the folder may replace what is in it meanwhile: each folder is held open
// from its making on, and links are not followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/own_folder.hpp"
#include "node/volumes/volume_payload.hpp"

namespace berth::node {

// Makes the existing directory show exactly the payload; `group`: the owning group. Returns false
// if it already did and nothing was written. Contents are compared, modes are not (as in the
// kubelet, a change of modes alone has no effect).
[[nodiscard]] Result<bool> write_payload(const std::string& directory, const Payload& payload,
                                         const std::optional<std::int64_t>& group, WallTime now);

// One of its steps: the files, and the folders that they are in, into this very folder.
[[nodiscard]] Result<Nothing> write_files(const OwnFolder& folder, const Payload& payload);

}  // namespace berth::node
