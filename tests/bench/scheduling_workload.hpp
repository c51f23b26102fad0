// SPDX-License-Identifier: Apache-2.0

// The workload on which the real scheduler was measured: nodes, pods on them, pods to be placed.
// Everything in closed form, so that two programs demonstrably do the same work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/namespace.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "scheduling/cluster/cluster.hpp"

namespace berth::bench {

enum class PodKind : std::uint8_t {
  kPlain,
  kSpread,  // topology spread over zones (must) and hosts (should)
  kAnti,    // anti-affinity to pods of the same app on a host
};
inline constexpr PodKind kPodKinds[] = {PodKind::kPlain, PodKind::kSpread, PodKind::kAnti};
[[nodiscard]] std::string_view name_of(PodKind kind);

inline constexpr std::int64_t kPodsOnNode = 10;

[[nodiscard]] api::Namespace workload_namespace();
[[nodiscard]] api::Node workload_node(std::int64_t index);
// The k-th pod on a node, k below kPodsOnNode.
[[nodiscard]] api::Pod existing_pod(std::int64_t node, std::int64_t k);
[[nodiscard]] api::Pod pending_pod(std::int64_t index, PodKind kind);

void add_nodes(scheduling::Cluster& cluster, std::int64_t nodes);
void add_existing_pods(scheduling::Cluster& cluster, std::int64_t nodes);

}  // namespace berth::bench
