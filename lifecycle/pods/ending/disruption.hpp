// SPDX-License-Identifier: Apache-2.0

// Why a pod is deleted in favour of others; empty if it is not. A plain value.
#pragma once

#include <optional>
#include <string>

#include "api/pod.hpp"

namespace berth::lifecycle {

struct Disruption {
  std::optional<api::PodCondition> target{};  // the pod's condition DisruptionTarget
  std::string why{};                          // a clause, for the ledger
};

}  // namespace berth::lifecycle
