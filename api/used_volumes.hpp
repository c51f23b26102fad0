// Which of a pod's volumes anything uses. What nothing uses is never set up, by the kubelet as
// here, so what it is does not matter. Pure.
#pragma once

#include <string>

#include "api/pod.hpp"

namespace berth::api {

// A container, or an init container, mounts it or has it as a device.
[[nodiscard]] bool is_volume_used(const PodSpec& spec, const std::string& volume);

}  // namespace berth::api
