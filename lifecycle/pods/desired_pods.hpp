// SPDX-License-Identifier: Apache-2.0

// The pods that the sources desire, by uid. PodSuccessors of deleted and ended pods enter it at
// once; the next set of the sources holds them as well.
#pragma once

#include <map>
#include <string>

#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

using DesiredPods = std::map<std::string, PodPtr>;

}  // namespace berth::lifecycle
