// How dear a pod is to its node: QoS class, criticality, OOM score adjustment.
//
// Pure. The class follows from cpu and memory alone (requests and limits above zero, regular and
// init containers; a pod-level block replaces them); a class already in the status stays.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/pod.hpp"

namespace berth::node {

enum class QosClass : std::uint8_t { kBestEffort, kBurstable, kGuaranteed };

// As the API spells it: BestEffort, Burstable, Guaranteed.
[[nodiscard]] std::string_view to_string(QosClass qos);

// What the resources say.
[[nodiscard]] QosClass compute_qos_class(const api::Pod& pod);
// status.qosClass where it is set, else what the resources say.
[[nodiscard]] QosClass qos_class(const api::Pod& pod);

// From a file or URL, not from an API server: annotation kubernetes.io/config.source.
[[nodiscard]] bool is_static_pod(const api::Pod& pod);

// Never evicted nor preempted: priority of 2,000,000,000 or more (the system classes); with
// `static_pods_are_critical`, the kubelet's rule, every static and mirror pod as well.
[[nodiscard]] bool is_critical_pod(const api::Pod& pod, bool static_pods_are_critical);

// oom_score_adj of one container, by its name. `memory_capacity` is the node's, in bytes.
[[nodiscard]] std::int64_t oom_score_adjust(const api::Pod& pod, const api::Container& container,
                                            std::int64_t memory_capacity,
                                            bool static_pods_are_critical);

}  // namespace berth::node
