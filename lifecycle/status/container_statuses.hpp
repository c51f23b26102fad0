// SPDX-License-Identifier: Apache-2.0

// The statuses of a pod's containers, computed from what the runtime shows and from the previous
// status.
//
// build_container_statuses translates (vectors container_status); merge_probe_results then fills in
// `started` and `ready`. `previous` is the last computed status; it preserves what the runtime has
// since forgotten. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// The last failed or refused start of a container; it becomes the waiting reason. Cleared when a
// start succeeds.
struct StartError {
  std::string reason{};
  std::string message{};

  bool operator==(const StartError&) const = default;
};
using StartErrors = std::map<std::string, StartError>;  // by container name

struct ContainerStatusInput {
  const api::Pod& pod;
  const api::PodStatus& previous;
  const RuntimePod& runtime;
  const ActuatedResources& actuated;
  const StartErrors& start_errors;
  std::string_view runtime_name = "containerd";  // the scheme of container ids
  bool recursive_read_only_supported = false;    // by the runtime's handler
  FeatureOptions options{};
};

struct ContainerStatusLists {
  std::vector<api::ContainerStatus> containers{};       // sorted by name
  std::vector<api::ContainerStatus> init_containers{};  // in the spec's order
  std::vector<api::ContainerStatus> ephemeral_containers{};

  bool operator==(const ContainerStatusLists&) const = default;
};

[[nodiscard]] ContainerStatusLists build_container_statuses(const ContainerStatusInput& input);

// Fills in `started` and `ready`. A probe that is declared and has no result has not passed.
void merge_probe_results(const api::Pod& pod, const ProbeResults& probes,
                         ContainerStatusLists& lists);

// Null if there is none of that name.
[[nodiscard]] const api::ContainerStatus* find_status(
    const std::vector<api::ContainerStatus>& statuses, std::string_view name);

// The id without its "containerd://".
[[nodiscard]] cri::ContainerId bare_container_id(std::string_view status_id);

}  // namespace berth::lifecycle
