// SPDX-License-Identifier: Apache-2.0

// A manifest's problem as one line: where, what, and what runs meanwhile. Pure.
#pragma once

#include <string>

#include "control/control.pb.h"

namespace berth::ctl {

// "web.yaml:7:3: spec.containers[0].image: Required value (default/web-node1 runs from the last
// good version)"
[[nodiscard]] std::string problem_text(const control::v1::ManifestProblem& problem);

}  // namespace berth::ctl
