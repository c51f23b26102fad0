// SPDX-License-Identifier: Apache-2.0

// What a container's status says of its resources. Pure.
#pragma once

#include "api/container_status.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// What the spec asks for; while the container runs, corrected by what the runtime reports, and
// where it reports nothing, by what was shown for this instance before. `status` needs its state
// and id.
[[nodiscard]] api::ResourceRequirements shown_resources(const RuntimeContainer& record,
                                                        const api::ResourceRequirements& asked,
                                                        const api::ContainerStatus& status,
                                                        const api::ContainerStatus* previous,
                                                        const ActuatedResources& actuated);

}  // namespace berth::lifecycle
