// fsGroup: the files of a volume belong to the pod's group, and the group may use them.
//
// Blocking. As the kubelet does it for volumes that live as long as their pod: files get group
// read (and write, unless the volume is read-only), directories that and search and setgid, so
// that what is made in them belongs to the group, too. Links are given to the group, not followed.
// fsGroupChangePolicy is about volumes that outlive pods; here it makes no difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"

namespace berth::node {

// None: the volumes stay root's.
[[nodiscard]] std::optional<std::int64_t> fs_group(const api::Pod& pod);

// The path and everything below it.
[[nodiscard]] Result<Nothing> give_to_group(const std::string& path, std::int64_t group,
                                            bool read_only);

}  // namespace berth::node
