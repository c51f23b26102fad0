// SPDX-License-Identifier: Apache-2.0

// The ledger's fact about a pod of which nothing is left: who ended it, and how it ended, whatever
// its last phase. Pure.
#pragma once

#include <optional>

#include "api/pod.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/ledger/fact.hpp"

namespace berth::lifecycle {

// `last`: the pod as it was last shown.
[[nodiscard]] PodRemoved removal(const api::Pod& last, const std::optional<EndInForce>& end);

}  // namespace berth::lifecycle
