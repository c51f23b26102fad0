// Steps that scenarios share: a pod from its manifest to Ready, its container's end from outside,
// its removal, each with the moments that count.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/scenarios.hpp"

namespace berth::bench {

// Far beyond anything that is measured: only against waiting for ever.
constexpr std::chrono::seconds kLimit{60};

struct ReadyPod {
  std::string name{};
  PodState state{};   // the first one that was Ready
  Interval window{};  // from the manifest's rename to that
};

[[nodiscard]] ReadyPod make_ready(Bench& bench, const std::string& name,
                                  const std::string& manifest);

struct Exit {
  std::string container_id{};
  SteadyTime at{};  // the process ended
};

// TERM to the pod's container `c`, and its end.
[[nodiscard]] Exit end_container(Bench& bench, const ReadyPod& pod);
// When the runtime told of an exit; waits until CRI shows it.
[[nodiscard]] ExitMoments moments_of(Bench& bench, const std::string& container_id);

// The instant before the manifest's removal; the pod is gone when this returns.
SteadyTime remove_pod(Bench& bench, const std::string& name);

// As many pods at once; the window ends with the last one Ready.
using MakeManifest = std::string (*)(const std::string& name);
[[nodiscard]] Interval make_many(Bench& bench, const std::string& prefix, int count,
                                 MakeManifest manifest);
void remove_many(Bench& bench, const std::string& prefix, int count);

// KILL to berthd and a new one; the window, from the new one's start, ends with the last of the
// pods shown Ready. `changed` lists pods that were shown un-Ready or with another container.
struct Restarted {
  Interval window{};
  std::vector<std::string> changed{};
};
[[nodiscard]] Restarted restart_agent(Bench& bench, const std::string& prefix, int count);

// Whatever the last step left to do (records, caches) is done before the next begins.
void settle(Bench& bench);

[[nodiscard]] bool is_ready(const PodState& state);

}  // namespace berth::bench
