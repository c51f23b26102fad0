// What becomes of a pod that had containers, of which the runtime knows nothing any more (the
// machine was rebooted and the runtime's state was not kept, or somebody wiped it).
//
// Where the restart policy allows, it begins again. Under Never it must not: what still ran is
// shown as ended in an unknown way, and the pod is Failed, as in Kubernetes after a reboot. Pure.
#pragma once

#include <optional>

#include "lifecycle/pod_memory.hpp"

namespace berth::lifecycle {

// The memory to go on from; none: it stays as it is. To be asked only if the runtime has nothing of
// the pod.
[[nodiscard]] std::optional<PodMemory> after_losing_containers(const PodMemory& memory);

}  // namespace berth::lifecycle
