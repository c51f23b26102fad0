// Does a toleration take a taint?
//
// Pure; the rule is Kubernetes' own, for whoever looks at taints.
#pragma once

#include "api/affinity.hpp"

namespace berth::api {

[[nodiscard]] bool tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace berth::api
