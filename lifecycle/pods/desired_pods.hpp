// SPDX-License-Identifier: Apache-2.0

// The pods that the sources desire, by uid. Successors of deleted and ended pods are added at once;
// the sources' next set contains them as well.
#pragma once

#include <map>
#include <string>

#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

using DesiredPods = std::map<std::string, PodPtr>;

}  // namespace berth::lifecycle
