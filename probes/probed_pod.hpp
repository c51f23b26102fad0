// SPDX-License-Identifier: Apache-2.0

// The prober's own record of a pod and its probes. Loop thread; only for prober*.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "probes/probe_view.hpp"

namespace berth::probes {

struct ProbedPod;

// A ProbeRun in half the space.
struct PastRun {
  WallTime at{};
  std::uint32_t took_us = 0;
  std::uint32_t late_us = 0;
  std::unique_ptr<const std::string> words{};  // null if empty
  Outcome outcome = Outcome::kUnknown;
  Standing standing = Standing::kCounted;
};

// The runs of a probe under this berthd.
struct PastRuns {
  std::size_t made = 0;
  std::array<PastRun, kRunsKept> latest{};  // a ring: run number n is at n modulo its size
  Nanoseconds worst_late{0};
  ProbeCounters counters{};
};

// Whether a probe still runs.
enum class Asking : std::uint8_t {
  kGoesOn,
  kUntilNext,  // its container has ended and its policy forbids a restart; a new sandbox may bring
               // another
  kOver,
};

// One probe: less than 2 KiB while idle.
struct Probe {
  std::uint64_t id = 0;
  std::shared_ptr<const PodName> name{};
  ProbedPod* pod = nullptr;  // null if the pod is gone
  std::size_t container = 0;
  ProbeRules rules{};
  api::Probe spec{};
  std::vector<std::string> command{};  // of an exec, expanded
  Nanoseconds period{0};
  Nanoseconds limit{0};

  ProbeState state{};
  std::optional<SteadyTime> due{};  // its entry in the queue
  bool under_way = false;           // running, or waiting for its turn
  Asking asking = Asking::kGoesOn;
  std::optional<SteadyTime> last_begun{};
  std::string_view waits_for{};

  PastRuns past{};

  [[nodiscard]] bool is_exec() const { return spec.exec.has_value(); }
};

struct ProbedPodContainer {
  std::string name{};
  bool init_container = false;
  std::vector<api::ContainerPort> ports{};
  std::array<std::shared_ptr<Probe>, 3> probes{};  // by ProbeType; may be null

  const SeenContainer* seen = nullptr;  // into the pod's; null if not seen
  SteadyTime started_at{};
  std::optional<SteadyTime> startup_passed_at{};  // by an answer to this berthd process

  [[nodiscard]] Probe* probe(ProbeType type) const {
    return probes.at(static_cast<std::size_t>(type)).get();
  }
};

struct ProbedPod {
  std::shared_ptr<const PodName> name{};
  std::vector<ProbedPodContainer> containers{};  // with probes: regular containers, then sidecars
  std::optional<SeenPod> seen{};
};

// The initial record, with each probe of the pod, in the kubelet's order.
[[nodiscard]] std::unique_ptr<ProbedPod> probed_pod(const api::Pod& pod,
                                                    const std::vector<KeptResult>& kept);

// The variables that an exec probe's command may refer to: those with literal values in the spec.
[[nodiscard]] std::map<std::string, std::string> literal_environment(const api::Pod& pod,
                                                                     const std::string& container);

[[nodiscard]] Sight sight_of(const ProbedPod& pod, const ProbedPodContainer& container,
                             SteadyTime now);

// From when on a failure of the probe counts against the running container.
[[nodiscard]] SteadyTime failures_count_from(const Probe& probe,
                                             const ProbedPodContainer& container);

// The state of a probe that an observation of its container has ended.
[[nodiscard]] Asking after_end(const Probe& probe);
// Whether another instance is running now, so that the probe starts again.
[[nodiscard]] bool begins_anew(const Probe& probe);

[[nodiscard]] ProbeView view_of(const ProbedPod& pod, const Probe& probe, SteadyTime now,
                                WallTime wall_now);

void count_run(ProbeCounters& counters, const Attempt& attempt, Standing standing);
// Adds to the ring of the last few.
void note_run(Probe& probe, ProbeRun run);

// Oldest first.
[[nodiscard]] std::vector<ProbeRun> last_runs(const Probe& probe);

// Points each container to its observation.
void set_observed(ProbedPod& pod, const SeenPod& seen);

}  // namespace berth::probes
