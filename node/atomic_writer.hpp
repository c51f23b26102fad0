// The files of a volume, changed all at once.
//
// The kubelet's layout, which programs that watch their configuration rely on: the files are in a
// directory named by the time; `..data` is a link to it; what is seen are links through `..data`.
// A change is a new directory and one rename of `..data`. Blocking. Interrupted anywhere, it is
// done again by the next call, which clears up what was left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/volume_payload.hpp"

namespace berth::node {

// Makes the directory, which exists, show exactly the payload; `group`: to whom it is given. False:
// it did already, and nothing was written. Contents are compared, modes are not (as in the
// kubelet: a change of modes alone is not carried out).
[[nodiscard]] Result<bool> write_payload(const std::string& directory, const Payload& payload,
                                         const std::optional<std::int64_t>& group, WallTime now);

}  // namespace berth::node
