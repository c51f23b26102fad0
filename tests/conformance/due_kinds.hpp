// SPDX-License-Identifier: Apache-2.0

// Which kinds of recorded decisions this version must agree with, and which come later.
//
// A case of a due kind is never skipped, and the project's own vectors contain cases of each of
// these kinds; a kind in neither list is an error. An implemented kind moves from the second list
// to the first.
#pragma once

#include <array>
#include <string_view>

namespace berth::conformance {

inline constexpr std::array<std::string_view, 38> kDueKinds = {"backoff",
                                                               "container_env",
                                                               "container_gc",
                                                               "container_resources",
                                                               "container_status",
                                                               "critical_preempt",
                                                               "cycle",
                                                               "env_expand",
                                                               "evict",
                                                               "eviction_admit",
                                                               "eviction_cycle",
                                                               "eviction_parse",
                                                               "eviction_rank",
                                                               "eviction_thresholds",
                                                               "grace_period",
                                                               "grace_period_container",
                                                               "image_gc",
                                                               "label-keys",
                                                               "manifest_decode",
                                                               "manifest_dir",
                                                               "pod_actions",
                                                               "pod_conditions",
                                                               "pod_phase",
                                                               "pod_resources",
                                                               "pod_status",
                                                               "preempt",
                                                               "priority-admission",
                                                               "priorityclass-admission",
                                                               "probe_pod",
                                                               "probe_worker",
                                                               "qos",
                                                               "quantity",
                                                               "queue",
                                                               "queue-hints",
                                                               "sampling",
                                                               "sequence",
                                                               "sync_pod",
                                                               "termination_order"};

// Not yet implemented.
inline constexpr std::array<std::string_view, 0> kLaterKinds = {};

}  // namespace berth::conformance
