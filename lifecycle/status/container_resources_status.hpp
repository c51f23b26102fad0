// SPDX-License-Identifier: Apache-2.0

// The resources that a container's status shows. Pure.
#pragma once

#include "api/container_status.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// The resources that the spec requests. While the container runs, they are overridden by what the
// runtime reports and, where it reports nothing, by what was shown for this instance before.
// `status` must have its state and id set.
[[nodiscard]] api::ResourceRequirements shown_resources(const RuntimeContainer& record,
                                                        const api::ResourceRequirements& asked,
                                                        const api::ContainerStatus& status,
                                                        const api::ContainerStatus* previous,
                                                        const ActuatedResources& actuated);

}  // namespace berth::lifecycle
