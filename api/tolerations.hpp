// SPDX-License-Identifier: Apache-2.0

// Whether a toleration matches a taint.
//
// Pure; Kubernetes' rule, used wherever taints are checked.
#pragma once

#include "api/affinity.hpp"

namespace berth::api {

[[nodiscard]] bool tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace berth::api
