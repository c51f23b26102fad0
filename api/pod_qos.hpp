// SPDX-License-Identifier: Apache-2.0

// How much protection a pod has on its node: its QoS class, and whether it is critical.
//
// Pure. The class follows from cpu and memory alone (requests and limits above zero, regular and
// init containers; a pod-level block replaces them); a class already in the status is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/pod.hpp"

namespace berth::api {

enum class QosClass : std::uint8_t { kBestEffort, kBurstable, kGuaranteed };

// In the API's spelling: BestEffort, Burstable, Guaranteed.
[[nodiscard]] std::string_view to_string(QosClass qos);

// Computed from the resources alone.
[[nodiscard]] QosClass compute_qos_class(const Pod& pod);
// status.qosClass if set, else the class computed from the resources.
[[nodiscard]] QosClass qos_class(const Pod& pod);

// Whether it was read from a file or URL, not from an API server: annotation
// kubernetes.io/config.source.
[[nodiscard]] bool is_static_pod(const Pod& pod);

// Why a pod is never evicted or preempted.
enum class Criticality : std::uint8_t {
  kStaticPod,       // under the kubelet's rule only
  kMirrorPod,       // under the kubelet's rule only
  kSystemPriority,  // priority of 2,000,000,000 or more: the system classes
};

// Unset if the pod is not critical. `static_pods_are_critical` is the kubelet's rule.
[[nodiscard]] std::optional<Criticality> criticality(const Pod& pod, bool static_pods_are_critical);
[[nodiscard]] bool is_critical_pod(const Pod& pod, bool static_pods_are_critical);

}  // namespace berth::api
