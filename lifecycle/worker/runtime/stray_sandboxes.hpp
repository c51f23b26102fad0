// SPDX-License-Identifier: Apache-2.0

// Sandboxes that the runtime made too late, for an earlier pod with the same uid: the caller had
// given up on the call, that pod has ended since, and a new pod has its uid (a manifest can pin
// it).
//
// Nobody waits for such a sandbox. If it were taken for the new pod's, a run-once pod could begin a
// second time in it, and two ready sandboxes would end the one in use. Pure.
#pragma once

#include <set>
#include <string>

#include "api/pod.hpp"
#include "cri/types.hpp"

namespace berth::lifecycle {

class ObservedPod;

// Whether a sandbox with these annotations was created for another manifest or incarnation than the
// pod. False for a kubelet's sandbox, which has none of berth's annotations, and for a pod whose
// uid was computed, which belongs to a single incarnation.
[[nodiscard]] bool made_for_another(const cri::StringMap& annotations, const api::Pod& pod);

// By id. A sandbox in which a container was created is never a stray, whatever its annotations:
// what runs stays.
[[nodiscard]] std::set<std::string> stray_sandboxes(const ObservedPod& observed,
                                                    const api::Pod& pod);

}  // namespace berth::lifecycle
