// SPDX-License-Identifier: Apache-2.0

// What a kubelet leaves in the runtime of a pod of its manifest folder: the pod runs, under the
// uid that the kubelet gave it.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"

namespace berth::simulation {

struct KubeletsPod {
  cri::PodSandboxConfig sandbox{};
  std::vector<cri::ContainerConfig> containers{};
};

// `manifest` has no uid and no init containers.
[[nodiscard]] KubeletsPod kubelets_pod(const api::Pod& manifest, const std::string& uid);

}  // namespace berth::simulation
