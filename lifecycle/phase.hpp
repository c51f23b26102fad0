// The phase of a pod, from the statuses of its containers. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

struct PhaseInput {
  const api::Pod& pod;
  // Of init and regular containers. As the kubelet does it, before probe results are merged: until
  // a regular container has started, a freshly reported sidecar does not count as started.
  const std::vector<api::ContainerStatus>& statuses;
  bool pod_is_terminal = false;      // nothing will be started again
  bool pod_has_initialized = false;  // a regular container was started in the current sandbox
  FeatureOptions options{};
};

// One of the constants of reasons.hpp.
[[nodiscard]] std::string_view compute_phase(const PhaseInput& input);

// Whether some regular container has a record in the newest sandbox.
[[nodiscard]] bool has_started_regular_container(const api::Pod& pod, const RuntimePod& runtime);

}  // namespace berth::lifecycle
