// What a configMap, secret, downwardAPI or projected volume holds: paths, bytes and modes.
//
// Pure. Fails in the kubelet's words, as its FailedMount event has them; no error shows a value.
// Objects that are not there are told as the kubelet's own watch-fed store does: `secret "x" not
// found`.
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

// Limits that a downwardAPI file asks for and the container does not have are the node's
// `allocatable`. Paths are relative, without "..", their parts at most 255 bytes, 4096 in all.
[[nodiscard]] Result<Payload> volume_payload(const api::Pod& pod, const api::Volume& volume,
                                             const Objects& objects,
                                             const api::ResourceList& allocatable);

// Where other volumes are mounted below this one in some container, relative to it: such a volume
// is read-only to the runtime, so these directories have to be there.
[[nodiscard]] std::vector<std::string> nested_mount_points(const api::Pod& pod,
                                                           const std::string& volume);

// Whether any container mounts it; the others are never set up.
[[nodiscard]] bool is_mounted(const api::Pod& pod, const std::string& volume);

}  // namespace berth::node
