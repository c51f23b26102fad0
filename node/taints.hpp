// Taints and tolerations.
//
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "api/affinity.hpp"
#include "api/tolerations.hpp"

namespace berth::node {

using api::tolerates;

// The first taint of effect NoExecute that none of the tolerations takes.
[[nodiscard]] std::optional<api::Taint> untolerated_no_execute(
    const std::vector<api::Taint>& taints, const std::vector<api::Toleration>& tolerations);

}  // namespace berth::node
