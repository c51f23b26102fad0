// SPDX-License-Identifier: Apache-2.0

// fsGroup: gives the files of a volume to the pod's group, with access for the group.
//
// Blocking. Does what the kubelet does for volumes that live as long as their pod: files get group
// read (and write, unless the volume is read-only), directories also search and setgid, so that
// files created in them belong to the group, too. Links themselves are given to the group, not
// followed. fsGroupChangePolicy concerns volumes that outlive pods; it makes no difference here.
//
// A container that reaches the folder may replace what is in it meanwhile: what is changed is what
// was looked at, held by a descriptor, never what a path leads to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/own_folder.hpp"

namespace berth::node {

// `std::nullopt` if the volumes remain root's.
[[nodiscard]] std::optional<std::int64_t> fs_group(const api::Pod& pod);

// Changes the folder and everything below it.
[[nodiscard]] Result<Nothing> give_to_group(const OwnFolder& folder, std::int64_t group,
                                            bool read_only);

}  // namespace berth::node
