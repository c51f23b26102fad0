// SPDX-License-Identifier: Apache-2.0

// Which dead instances of a container are removed, as a recorded decision:
// node::dead_instances_to_trim's arguments as one value. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "cri/types.hpp"

namespace berth::lifecycle {

struct DeadInstance {
  cri::ContainerId id{};
  WallTime created{};
};

struct TrimQuestion {
  RefOrValue<api::Pod> pod{};  // the container's pod; decides nothing
  std::string container{};     // by name; likewise
  std::vector<DeadInstance> instances{};
  std::uint32_t keep = 1;
};

struct TrimDecision {
  std::vector<cri::ContainerId> remove{};  // oldest first
};

[[nodiscard]] TrimDecision decide_trim(const TrimQuestion& question);

}  // namespace berth::lifecycle
