// What a container's status says of its resources and its stop signal. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/container_status.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// The resources in force on a running container: what was last applied, corrected by what the
// runtime reports; where it reports nothing, what was shown for this instance before. None while
// it does not run, or without a record of what was applied. `status` needs its state and id.
[[nodiscard]] std::optional<api::ResourceRequirements> resources_in_force(
    const RuntimeContainer& record, const api::ContainerStatus& status,
    const api::ContainerStatus* previous, const ActuatedResources& actuated);

// CRI's signal number as the API names it; none for the runtime's default (0).
[[nodiscard]] std::optional<std::string> shown_stop_signal(std::int32_t cri_signal);

}  // namespace berth::lifecycle
