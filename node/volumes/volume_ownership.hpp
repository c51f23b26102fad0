// SPDX-License-Identifier: Apache-2.0

// fsGroup: gives the files of a volume to the pod's group, with access for the group.
//
// Blocking. Does what the kubelet does for volumes that live as long as their pod: files get group
// read (and write, unless the volume is read-only), directories also search and setgid, so that
// files created in them belong to the group, too. Links themselves are given to the group, not
// followed. fsGroupChangePolicy concerns volumes that outlive pods; it makes no difference here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"

namespace berth::node {

// `std::nullopt` if the volumes remain root's.
[[nodiscard]] std::optional<std::int64_t> fs_group(const api::Pod& pod);

// Changes the path and everything below it.
[[nodiscard]] Result<Nothing> give_to_group(const std::string& path, std::int64_t group,
                                            bool read_only);

}  // namespace berth::node
