// SPDX-License-Identifier: Apache-2.0

// The one view of what the runtime has of a pod: plan, status, starts, hooks and probes all see it.
//
// What CRI shows is put right where it would mislead a decision: the order of instances when the
// wall clock was set back, two instances of one name that seem to run, an init container created
// beside the one that completed, addresses of a finished pod.
// A plan leaves out besides what can never start (without_unstartable), a status what is not shown
// (shown_part in pod_status.hpp). Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/container_statuses.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

struct PodViewInput {
  const api::Pod& pod;
  std::vector<cri::PodSandboxStatus> sandboxes{};  // but those of an earlier pod (stray_sandboxes)
  std::vector<cri::ContainerStatus> containers{};
  std::map<cri::ContainerId, cri::SandboxId> sandbox_of{};
  std::map<std::string, cri::ContainerId> starts{};  // that have begun, by container name
  // What plans have decided of containers, by id, and why their last starts failed. Not asked for a
  // pod that ends.
  const std::map<std::string, StartAgain>& start_again;
  const StartErrors& start_errors;
  const std::vector<std::string>& last_ips;  // while a sandbox was ready
  bool ends = false;                         // nothing of it is started any more
  FeatureOptions options{};
};

// By sandbox or container id. A later attempt is never the older one, even if the wall clock was
// set back between the two.
[[nodiscard]] std::map<std::string, std::int64_t> creation_times(
    const std::vector<cri::PodSandboxStatus>& sandboxes,
    const std::vector<cri::ContainerStatus>& containers);

[[nodiscard]] RuntimePod pod_view(const PodViewInput& input);

}  // namespace berth::lifecycle
