// SPDX-License-Identifier: Apache-2.0

// The order in which pods begin: higher priority first, then by namespace and name.
#pragma once

#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

[[nodiscard]] bool begins_before(const PodPtr& a, const PodPtr& b);

}  // namespace berth::lifecycle
