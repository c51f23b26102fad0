// SPDX-License-Identifier: Apache-2.0

// Which containers of a plan are started, in which order, and from what. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/status/container_statuses.hpp"

namespace berth::lifecycle {

struct NextStart {
  std::string container{};   // by name
  bool others_wait = false;  // an init container that must succeed: nothing after it is tried

  bool operator==(const NextStart&) const = default;
};

// Init containers first, then in the order of the spec, as in the kubelet. A container whose
// postStart hook has just failed (`errors`) is started after those that were not tried yet, unless
// others wait for it.
[[nodiscard]] std::vector<NextStart> start_order(const api::Pod& pod, const PodActions& actions,
                                                 const StartErrors& errors);

// The newest instance of a container.
struct NewestInstance {
  const cri::ContainerStatus& status;
  const std::string& sandbox;  // its id
};

// Whether that instance is started instead of creating another one: it was created in the ready
// sandbox by a call whose response was lost, or by a berthd that has ended since.
[[nodiscard]] bool starts_as_created(const NewestInstance& newest, const cri::SandboxId& ready,
                                     const api::Container& spec);

}  // namespace berth::lifecycle
