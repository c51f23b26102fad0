// SPDX-License-Identifier: Apache-2.0

// Which of a pod's volumes are used. Like the kubelet, berth never sets up an unused volume, so its
// kind does not matter. Pure.
#pragma once

#include <string>

#include "api/pod.hpp"

namespace berth::api {

// Whether a container or init container mounts the volume or uses it as a device.
[[nodiscard]] bool is_volume_used(const PodSpec& spec, const std::string& volume);

}  // namespace berth::api
