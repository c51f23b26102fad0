// SPDX-License-Identifier: Apache-2.0

// What the prober shows of a probe, and what it reports when something changes.
//
// Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/handlers.hpp"
#include "base/clock_types.hpp"
#include "cri/types.hpp"
#include "probes/attempt.hpp"
#include "probes/probe_state.hpp"

namespace berth::probes {

struct PodName {
  std::string uid{};
  std::string namespace_{};
  std::string name{};

  bool operator==(const PodName&) const = default;
};

// What probing needs to know about a running pod: from the runtime and the decided status.
struct SeenContainer {
  std::string name{};
  cri::ContainerId id{};  // empty if not created
  bool running = false;
  bool terminated = false;
  std::optional<WallTime> started_at{};

  bool operator==(const SeenContainer&) const = default;
};

struct SeenPod {
  std::string pod_ip{};   // primary, as the status shows it
  bool finished = false;  // Failed or Succeeded is published
  std::vector<SeenContainer> containers{};

  bool operator==(const SeenPod&) const = default;
};

// An earlier result: from the store, or Success for a container taken over running and ready.
struct KeptResult {
  std::string container{};
  ProbeType type = ProbeType::kReadiness;
  cri::ContainerId id{};
  ProbeResult result = ProbeResult::kUnknown;

  bool operator==(const KeptResult&) const = default;
};

struct ProbeChange {
  PodName pod{};
  std::string container{};
  ProbeType type = ProbeType::kReadiness;
  ProbeUpdate update{};
  // As long as the sink is called; null for a new container, or one that has ended.
  const JudgedAnswer* judged = nullptr;
  std::string why{};  // of an answer: "failed 3 of 3, connect refused after 1 ms"
};

struct ProbeEvent {
  PodName pod{};
  std::string container{};
  ProbeType type = ProbeType::kReadiness;
  Outcome outcome = Outcome::kUnknown;
  ProbeNotice notice{};
};

// Called on the loop, from within the prober: implementations must not change the prober.
class ProbeSink {
 public:
  ProbeSink() = default;
  ProbeSink(const ProbeSink&) = delete;
  ProbeSink& operator=(const ProbeSink&) = delete;
  virtual ~ProbeSink() = default;

  virtual void result_changed(const ProbeChange& change) = 0;
  virtual void event(const ProbeEvent& event) = 0;
};

// One run, as `get probes` and `describe` list the last few.
struct ProbeRun {
  WallTime at{};
  Nanoseconds took{0};
  Nanoseconds late{0};  // delay of its start after it was due
  Outcome outcome = Outcome::kUnknown;
  Standing standing = Standing::kCounted;
  std::string words{};  // of a run that did not pass: "status 503, overloaded"
};

inline constexpr std::size_t kRunsKept = 5;

// Prometheus' default buckets, in seconds.
inline constexpr std::array<double, 11> kDurationBounds = {.005, .01, .025, .05, .1, .25,
                                                           .5,   1,   2.5,  5,   10};

// prober_probe_total and prober_probe_duration_seconds of one probe, and what the kubelet's metrics
// omit. They live as long as the probe.
struct ProbeCounters {
  std::uint64_t successful = 0;
  std::uint64_t failed = 0;
  std::uint64_t errored = 0;                                   // not counted by the kubelet
  std::uint64_t held_up = 0;                                   // included in errored: our own delay
  double seconds = 0;                                          // of the successful runs
  std::array<std::uint32_t, kDurationBounds.size()> within{};  // per bucket; cumulative only in
                                                               // output
};

struct ProbeView {
  PodName pod{};
  std::string container{};
  bool init_container = false;
  ProbeType type = ProbeType::kReadiness;
  api::Probe spec{};
  Nanoseconds period{0};
  ProbeState state{};
  std::string_view waits_for{};  // why it does not run; empty if it runs
  std::optional<WallTime> next_at{};
  bool under_way = false;
  bool ended = false;  // no more runs, at least for this container
  Nanoseconds worst_late{0};
  std::vector<ProbeRun> runs{};  // oldest first
  ProbeCounters counters{};
};

// Over all probes. Lateness is that of each run's start.
inline constexpr std::array<std::int64_t, 10> kLateBounds = {1,  2,   5,   10,  20,
                                                             50, 100, 200, 500, 1000};

struct ProberCounts {
  std::size_t probes = 0;
  std::size_t under_way = 0;
  std::size_t exec_waiting = 0;  // waiting for their turn
  std::uint64_t runs = 0;
  std::array<std::uint64_t, kLateBounds.size() + 1> late{};  // in ms, the last: longer
  Nanoseconds held_up{0};  // total time in which the loop was not available
};

}  // namespace berth::probes
