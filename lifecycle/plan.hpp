// SPDX-License-Identifier: Apache-2.0

// What to do next for a pod that should run, and when to look again.
//
// plan() takes the pass's decision (pod_actions.hpp) and holds back the starts whose backoff window
// is still open. `look_again_at` is exactly the end of that window, or the pod's deadline if that
// comes first. Whoever carries out a plan records what it did (record_start before each start,
// record_pull_failure) and adds the refusals to the start errors, from which the status takes its
// waiting reasons (pod_status.hpp). Pure; always succeeds.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/image_pull_backoff.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

struct PlanInput {
  RefOrValue<api::Pod> pod{};
  RefOrValue<RuntimePod> runtime{};
  RefOrValue<ProbeResults> probes{};
  RefOrValue<ActuatedResources> actuated{};
  RefOrValue<RestartBackoff> restarts{};
  RefOrValue<ImagePullBackoff> pulls{};
  // Images known to be on the node now: with pull policy IfNotPresent they need no pull, so an
  // open pull window does not hold them back.
  RefOrValue<std::set<std::string>> present_images{};
  std::optional<api::Time> start_time{};  // status.startTime, for activeDeadlineSeconds
  WallTime now{};
  RestartBackoffPolicy restart_policy{};
  ImagePullBackoffPolicy pull_policy{};
  FeatureOptions options{};
};

// A start that has to wait.
struct StartRefusal {
  std::string container{};
  std::string reason{};         // CrashLoopBackOff or ImagePullBackOff
  std::string message{};        // of the waiting container
  std::string event_message{};  // of the event "BackOff" (Warning for restarts, Normal for pulls)
  WallTime until{};

  bool operator==(const StartRefusal&) const = default;
};

struct Plan {
  // Past activeDeadlineSeconds: nothing is started, the status shows it, and the pod ends.
  bool deadline_exceeded = false;
  PodActions actions{};  // what may be done now, with its reasons
  std::vector<StartRefusal> refusals{};
  std::optional<WallTime> look_again_at{};

  bool operator==(const Plan&) const = default;
};

[[nodiscard]] Plan plan(const PlanInput& input);

}  // namespace berth::lifecycle
