// SPDX-License-Identifier: Apache-2.0

// A pod's protection on its node: QoS class and criticality (api/pod_qos.hpp), and the resulting
// OOM score adjustment.
//
// Pure.
#pragma once

#include <cstdint>

#include "api/pod_qos.hpp"

namespace berth::node {

using api::compute_qos_class;
using api::is_critical_pod;
using api::is_static_pod;
using api::qos_class;
using api::QosClass;
using api::to_string;

// The oom_score_adj of one container, by its name. `memory_capacity` is the node's, in bytes.
[[nodiscard]] std::int64_t oom_score_adjust(const api::Pod& pod, const api::Container& container,
                                            std::int64_t memory_capacity,
                                            bool static_pods_are_critical);

}  // namespace berth::node
