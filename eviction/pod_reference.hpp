// SPDX-License-Identifier: Apache-2.0

// The pod that a decision is about: the part that is kept after the decision.
#pragma once

#include <string>

#include "api/pod.hpp"

namespace berth::eviction {

// The fields and the name of the Summary API's podRef.
struct PodReference {
  std::string name{};
  std::string namespace_{};
  std::string uid{};

  bool operator==(const PodReference&) const = default;
};

[[nodiscard]] inline PodReference reference_to(const api::Pod& pod) {
  return {
      .name = pod.metadata.name, .namespace_ = pod.metadata.namespace_, .uid = pod.metadata.uid};
}

}  // namespace berth::eviction
