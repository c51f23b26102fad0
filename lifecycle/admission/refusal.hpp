// SPDX-License-Identifier: Apache-2.0

// Why the node refuses a pod that has come, apart from what the pod asks for: it is short of
// something, or shutting down. A plain value, in the kubelet's words.
#pragma once

#include <string>

namespace berth::lifecycle {

struct Refusal {
  std::string reason{};   // Evicted, NodeShutdown
  std::string message{};  // "The node had condition: [MemoryPressure]. "

  bool operator==(const Refusal&) const = default;
};

}  // namespace berth::lifecycle
