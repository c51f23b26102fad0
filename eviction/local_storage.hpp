// Who uses more local storage than its pod allows: emptyDir sizeLimit, the pod's and a container's
// limit for ephemeral-storage.
//
// Pure. Checked at every look, before any pressure and independent of it; all offenders go, with
// one second each. Per pod the first limit that is exceeded counts. A pod without readings, or a
// volume of which the usage is unknown, is passed over. Critical pods are spared.
#pragma once

#include <optional>
#include <vector>

#include "eviction/eviction.hpp"
#include "eviction/layout.hpp"
#include "eviction/ranking.hpp"

namespace berth::eviction {

[[nodiscard]] std::optional<ExceededLimit> exceeded_limit(const api::Pod& pod,
                                                          const PodReading& reading,
                                                          FileSystemLayout layout);

// Of the pods given, in that order.
[[nodiscard]] std::vector<Eviction> local_storage_evictions(
    const std::vector<const api::Pod*>& pods, const PodReadings& readings, FileSystemLayout layout,
    const EvictionRules& rules);

}  // namespace berth::eviction
