// SPDX-License-Identifier: Apache-2.0

// What the ledger says of a pod when nothing is left of it: who ended it, and how it ended,
// whatever its last phase. Pure.
#pragma once

#include <optional>

#include "api/pod.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/ledger/fact.hpp"

namespace berth::lifecycle {

// `last`: as it was shown last.
[[nodiscard]] PodRemoved removal(const api::Pod& last, const std::optional<EndInForce>& end);

}  // namespace berth::lifecycle
