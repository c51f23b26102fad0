// SPDX-License-Identifier: Apache-2.0

// What the configuration sets for all pods.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/restart_backoff.hpp"

namespace berth::lifecycle {

struct ImagePullOptions {
  bool serialize = true;
  std::optional<std::int32_t> max_parallel{};
  std::int32_t qps = 5;
  std::int32_t burst = 10;
};

struct PodSetOptions {
  std::string node_name{};
  FeatureOptions features{};
  RestartBackoffPolicy restarts{};
  TerminationOnRestart termination_on_restart = TerminationOnRestart::kResume;
  ImagePullOptions images{};
  // The relist is a safety net: it is infrequent while an event stream is open, and otherwise the
  // only way to learn of an exit (with the kubelet's period of 1 s).
  std::chrono::seconds relist_period{30};
  std::chrono::seconds relist_period_without_stream{1};
  std::string config_file{};  // berthd's own, for messages that suggest a change
  // How many finished pods stay listed; 0 or less: all of them.
  std::int64_t terminated_pods_kept = kTerminatedPodGcThreshold;
};

}  // namespace berth::lifecycle
