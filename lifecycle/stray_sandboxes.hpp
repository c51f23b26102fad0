// SPDX-License-Identifier: Apache-2.0

// Sandboxes that a runtime made for an earlier pod under the same uid, too late: its caller had
// given the call up, that pod has ended since, and a new one has its uid (a manifest can pin it).
//
// Nobody waits for such a sandbox. Were it taken for the new pod's, one that runs once could begin
// a second time in it, and two sandboxes that are ready would end the one in use. Pure.
#pragma once

#include <set>
#include <string>

#include "api/pod.hpp"
#include "lifecycle/worker/observed_pod.hpp"

namespace berth::lifecycle {

// By id. A sandbox in which something was created is none, whatever its annotations say: what runs
// stays.
[[nodiscard]] std::set<std::string> stray_sandboxes(const ObservedPod& observed,
                                                    const api::Pod& pod);

}  // namespace berth::lifecycle
