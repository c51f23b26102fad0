// SPDX-License-Identifier: Apache-2.0

// Recorded CRI requests (JSON messages) as berth's own structs, for comparison.
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>

#include "cri/types.hpp"

namespace berth::node::recorded {

struct CreateRequest {
  cri::ContainerConfig config{};
  cri::PodSandboxConfig sandbox{};
};

// Every RunPodSandbox and CreateContainer request of the session, in order.
std::vector<cri::PodSandboxConfig> sandbox_requests();
std::vector<CreateRequest> create_requests();

}  // namespace berth::node::recorded
