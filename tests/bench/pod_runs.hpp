// SPDX-License-Identifier: Apache-2.0

// Steps shared by scenarios: a pod from its manifest to Ready, an external end of its container,
// its removal, each with the relevant times.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/scenarios.hpp"

namespace berth::bench {

// Far beyond anything measured: only prevents waiting for ever.
constexpr std::chrono::seconds kLimit{60};

struct ReadyPod {
  std::string name{};
  PodState state{};   // the first one that was Ready
  Interval window{};  // from the manifest's rename to Ready
};

[[nodiscard]] ReadyPod make_ready(Bench& bench, const std::string& name,
                                  const std::string& manifest);

struct Exit {
  std::string container_id{};
  SteadyTime at{};  // when the process ended
};

// Sends TERM to the pod's container `c`; returns its end.
[[nodiscard]] Exit end_container(Bench& bench, const ReadyPod& pod);
// When the runtime reported an exit; waits until CRI shows it.
[[nodiscard]] ExitMoments moments_of(Bench& bench, const std::string& container_id);

// Returns the instant before the manifest's removal, once the pod is gone.
SteadyTime remove_pod(Bench& bench, const std::string& name);

// Starts this many pods at once; the window ends with the last one Ready.
using MakeManifest = std::string (*)(const std::string& name);
[[nodiscard]] Interval make_many(Bench& bench, const std::string& prefix, int count,
                                 MakeManifest manifest);
void remove_many(Bench& bench, const std::string& prefix, int count);

// KILLs berthd and starts a new one; the window, from the new one's start, ends when all pods are
// shown Ready. `changed` lists pods that were shown un-Ready or with another container.
struct Restarted {
  Interval window{};
  std::vector<std::string> changed{};
};
[[nodiscard]] Restarted restart_agent(Bench& bench, const std::string& prefix, int count);

// Finishes the last step's leftovers (records, caches) before the next starts.
void settle(Bench& bench);

[[nodiscard]] bool is_ready(const PodState& state);

}  // namespace berth::bench
