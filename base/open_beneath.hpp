// SPDX-License-Identifier: Apache-2.0

// Opens paths strictly below a folder (openat2(2), Linux 5.6).
#pragma once

#include <cstdint>
#include <string>

#include "base/descriptor.hpp"

namespace berth {

// Which symbolic links are followed; never one that leads out of the folder.
enum class Links : std::uint8_t { kNone, kBeneath };

// On failure the descriptor is empty and errno is set: ELOOP or EXDEV for a link that is not
// followed, EINVAL for a NUL. `flags`: as for open(2), without O_CREAT; O_CLOEXEC is added. Blocks
// as open(2) does.
[[nodiscard]] Descriptor open_beneath(const Descriptor& top, const std::string& path,
                                      std::uint64_t flags, Links links);

}  // namespace berth
