// SPDX-License-Identifier: Apache-2.0

// The content of a configMap, secret, downwardAPI or projected volume: paths, bytes and modes.
//
// Pure. Fails in the kubelet's words, as in its FailedMount event; no error shows a value. Missing
// objects are reported as by the kubelet's watch-based store: `secret "x" not found`.
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

// Limits that a downwardAPI file refers to and the container does not have are the node's
// `allocatable`. Paths are relative, without "..", their parts at most 255 bytes, 4096 in total.
[[nodiscard]] Result<Payload> volume_payload(const api::Pod& pod, const api::Volume& volume,
                                             const Objects& objects,
                                             const api::ResourceList& allocatable);

// Where some container mounts other volumes below this one, relative to it: the runtime mounts this
// volume read-only, so these directories must exist.
[[nodiscard]] std::vector<std::string> nested_mount_points(const api::Pod& pod,
                                                           const std::string& volume);

// Whether any container mounts it; unmounted volumes are never set up.
[[nodiscard]] bool is_mounted(const api::Pod& pod, const std::string& volume);

}  // namespace berth::node
