// SPDX-License-Identifier: Apache-2.0

// Which pods use more local storage than allowed: emptyDir sizeLimit, the pod's and a container's
// limit for ephemeral-storage.
//
// Pure. Checked in every pass, before any pressure and independent of it; all offenders are
// evicted, with a grace period of one second. The first exceeded limit of a pod counts. A pod
// without readings, or a volume whose usage is unknown, is skipped. Critical pods are exempt.
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

// Whether the pod has any limit that it could exceed.
[[nodiscard]] bool has_local_storage_limit(const api::Pod& pod);

// In the order of `pods`.
[[nodiscard]] std::vector<Eviction> local_storage_evictions(
    const std::vector<const api::Pod*>& pods, const PodReadings& readings, FileSystemLayout layout,
    const EvictionRules& rules);

}  // namespace berth::eviction
