// SPDX-License-Identifier: Apache-2.0

// Why the node refuses a new pod regardless of what the pod requests: the node is short of some
// resource, or shutting down. A plain value, in the kubelet's words.
#pragma once

#include <string>

namespace berth::lifecycle {

struct Refusal {
  std::string reason{};   // Evicted, NodeShutdown
  std::string message{};  // "The node had condition: [MemoryPressure]. "

  bool operator==(const Refusal&) const = default;
};

}  // namespace berth::lifecycle
