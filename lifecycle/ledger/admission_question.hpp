// SPDX-License-Identifier: Apache-2.0

// Whether the node admits a pod, as a recorded decision: node::admit_pod's arguments as one value.
// Pure.
#pragma once

#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "node/admission.hpp"
#include "node/node_config.hpp"

namespace berth::lifecycle {

struct AdmissionQuestion {
  RefOrValue<node::NodeConfig> config{};
  RefOrValue<node::HostConfinement> host{};
  RefOrValue<api::Node> node{};  // its list of images decides nothing, and is not recorded
  std::vector<RefOrValue<api::Pod>> active{};  // without the pod itself; of each only what counts
  RefOrValue<api::Pod> pod{};
};

[[nodiscard]] node::Admission decide_admission(const AdmissionQuestion& question);

}  // namespace berth::lifecycle
