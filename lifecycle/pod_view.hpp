// SPDX-License-Identifier: Apache-2.0

// The view of what the runtime has of a pod, from which plan, status, starts, hooks and probes
// start.
//
// What CRI shows is corrected where it would mislead a decision: the order of instances when the
// wall clock was set back, two instances of one name that seem to run, an init container created
// beside the one that completed, addresses of a finished pod. A plan also leaves out what can never
// start (without_unstartable), and a status what is not shown (shown_part in pod_status.hpp). Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/container_statuses.hpp"

namespace berth::lifecycle {

struct PodViewInput {
  const api::Pod& pod;
  std::vector<cri::PodSandboxStatus> sandboxes{};  // not those of an earlier pod (stray_sandboxes)
  std::vector<cri::ContainerStatus> containers{};
  std::map<cri::ContainerId, cri::SandboxId> sandbox_of{};
  std::map<std::string, cri::ContainerId> starts{};  // starts that have begun, by container name
  // What plans have decided for containers, by id, and why their last starts failed. Unused if the
  // pod ends.
  const std::map<std::string, StartAgain>& start_again;
  const StartErrors& start_errors;
  const std::vector<std::string>& last_ips;  // the addresses while a sandbox was ready
  bool ends = false;                         // nothing of the pod starts any more
  FeatureOptions options{};
};

// By sandbox or container id. A later attempt never has the earlier time, even if the wall clock
// was set back between the two.
[[nodiscard]] std::map<std::string, std::int64_t> creation_times(
    const std::vector<cri::PodSandboxStatus>& sandboxes,
    const std::vector<cri::ContainerStatus>& containers);

[[nodiscard]] RuntimePod pod_view(const PodViewInput& input);

}  // namespace berth::lifecycle
