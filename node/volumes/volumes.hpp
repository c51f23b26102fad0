// SPDX-License-Identifier: Apache-2.0

// A pod's volumes on the host: created, checked, filled, and refilled when their content changes.
//
// Blocking. emptyDir (on disk, or a tmpfs of its own), hostPath (checked, never changed), configMap
// (on disk), secret, downwardAPI and projected (on a tmpfs each). Failures have the kubelet's
// texts, as in its FailedMount event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "node/file_io.hpp"
#include "node/node_config.hpp"
#include "node/objects.hpp"

namespace berth::node {

struct VolumeFailure {
  std::string volume{};
  std::string message{};  // MountVolume.SetUp failed for volume "…" : …

  bool operator==(const VolumeFailure&) const = default;
};

// Sets up every volume that a container mounts. May be repeated, and writes nothing if nothing has
// changed.
[[nodiscard]] std::vector<VolumeFailure> set_up_volumes(const NodeView& node, const api::Pod& pod,
                                                        const Objects& objects, WallTime now);

// The size of a tmpfs in bytes: the least of the volume's sizeLimit, the pod's memory limit and
// what the node can provide. `std::nullopt` if no limit is known.
[[nodiscard]] std::optional<std::int64_t> memory_volume_bytes(
    const NodeView& node, const api::Pod& pod, const std::optional<api::Quantity>& size_limit);

// Checks that the path is of the type that the volume states; the ...OrCreate types create it.
[[nodiscard]] Result<Nothing> check_host_path(const api::HostPathVolumeSource& source);

}  // namespace berth::node
