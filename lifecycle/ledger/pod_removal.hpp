// What the ledger says of a pod when nothing is left of it: who ended it, and how it ended,
// whatever its last phase. Pure.
#pragma once

#include <optional>
#include <string>

#include "api/pod.hpp"
#include "lifecycle/ending.hpp"

namespace berth::lifecycle {

// "the pod is removed: it was deleted through the control socket; it ended Failed: container c with
// exit code 137 (signal KILL)". `last`: as it was shown last.
[[nodiscard]] std::string removal_text(const api::Pod& last, const std::optional<EndInForce>& end);

}  // namespace berth::lifecycle
