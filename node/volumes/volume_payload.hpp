// SPDX-License-Identifier: Apache-2.0

// The content of a configMap, secret, downwardAPI or projected volume: paths, bytes and modes.
//
// Pure. Failures have the kubelet's texts, as in its FailedMount event; no error shows a value.
// Missing objects are reported as by the kubelet's watch-based store: `secret "x" not found`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "node/objects.hpp"

namespace berth::node {

struct PayloadFile {
  std::string data{};
  std::uint32_t mode = 0644;

  bool operator==(const PayloadFile&) const = default;
};

using Payload = std::map<std::string, PayloadFile>;  // by path within the volume, cleaned

// Whether the volume is of one of these kinds.
[[nodiscard]] bool has_payload(const api::Volume& volume);

// If a downwardAPI file refers to a limit that the container does not have, the node's
// `allocatable` is used. Paths are relative, without "..", their parts at most 255 bytes, 4096 in
// total.
[[nodiscard]] Result<Payload> volume_payload(const api::Pod& pod, const api::Volume& volume,
                                             const Objects& objects,
                                             const api::ResourceList& allocatable);

// The directories, relative to this volume, at which some container mounts other volumes: the
// runtime mounts this volume read-only, so they must exist.
[[nodiscard]] std::vector<std::string> nested_mount_points(const api::Pod& pod,
                                                           const std::string& volume);

// Whether any container mounts the volume; unmounted volumes are never set up.
[[nodiscard]] bool is_mounted(const api::Pod& pod, const std::string& volume);

}  // namespace berth::node
