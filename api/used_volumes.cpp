// SPDX-License-Identifier: Apache-2.0

#include "api/used_volumes.hpp"

#include <algorithm>

namespace berth::api {

bool is_volume_used(const PodSpec& spec, const std::string& volume) {
  const auto names = [&volume](const auto& use) { return use.name == volume; };
  const auto used = [&names](const Container& container) {
    return std::any_of(container.volumeMounts.begin(), container.volumeMounts.end(), names) ||
           std::any_of(container.volumeDevices.begin(), container.volumeDevices.end(), names);
  };
  return std::any_of(spec.initContainers.begin(), spec.initContainers.end(), used) ||
         std::any_of(spec.containers.begin(), spec.containers.end(), used);
}

}  // namespace berth::api
