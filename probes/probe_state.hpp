// SPDX-License-Identifier: Apache-2.0

// One probe of one container as a state machine: when it may run, and what an answer changes.
//
// Pure: (rules, state, observation or answer) to (new state, what to publish). The rules are the
// kubelet's (vectors probe_worker, probe_pod). A state belongs to a probe for as long as its pod
// runs here. A run of equal results continues when the container is replaced, but no container is
// killed for a predecessor's failures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "cri/types.hpp"
#include "probes/attempt.hpp"

namespace berth::probes {

enum class ProbeType : std::uint8_t { kStartup, kReadiness, kLiveness };
enum class ProbeResult : std::uint8_t { kUnknown, kSuccess, kFailure };

[[nodiscard]] std::string_view to_string(ProbeType type);      // Startup, Readiness, Liveness
[[nodiscard]] std::string_view to_string(ProbeResult result);  // unknown, success, failure

// Constant for a probe's lifetime.
struct ProbeRules {
  ProbeType type = ProbeType::kReadiness;
  std::int32_t initial_delay_seconds = 0;
  std::int32_t success_threshold = 1;
  std::int32_t failure_threshold = 3;
  bool never_restarted = false;  // the container, however it ends
  bool pod_was_deleted = false;  // already deleted when the probe began

  bool operator==(const ProbeRules&) const = default;
};

[[nodiscard]] ProbeRules probe_rules(ProbeType type, const api::Probe& probe,
                                     const api::Container& container, const api::Pod& pod);

struct ProbeState {
  cri::ContainerId container{};       // the container it is about; empty if none was seen yet
  std::optional<ProbeResult> held{};  // its published result
  std::optional<ProbeResult> last{};  // the last answer, even if not yet enough
  std::int32_t run = 0;               // equal answers in a row
  bool on_hold = false;               // decided: no more runs before the next container

  bool operator==(const ProbeState&) const = default;
};

// After a start of berthd, or when taking over a running container: the published result stays
// until an answer changes it.
[[nodiscard]] ProbeState resumed_state(const ProbeRules& rules, cri::ContainerId container,
                                       ProbeResult kept);

struct ProbeUpdate {
  cri::ContainerId container{};
  ProbeResult result = ProbeResult::kUnknown;

  bool operator==(const ProbeUpdate&) const = default;
};

// --- may it run? ---------------------------------------------------------------------------------

// What is known about the container when its probe is due.
struct Sight {
  bool pod_known = false;     // a status of the pod exists
  bool pod_finished = false;  // its phase is Failed or Succeeded
  cri::ContainerId container{};
  bool running = false;
  bool terminated = false;
  bool started = false;  // no startup probe, or it passed
  Nanoseconds running_for{0};

  bool operator==(const Sight&) const = default;
};

enum class Next : std::uint8_t {
  kProbe,  // run now
  kDelay,  // run when the initial delay is over
  kWait,   // nothing to do until something changes
  kEnd,    // never again; its held result is dropped
};

struct Visit {
  Next next = Next::kWait;
  ProbeState state{};
  std::vector<ProbeUpdate> updates{};  // in order
  Nanoseconds delay_left{0};
  std::string_view why{};  // why it does not run
};

[[nodiscard]] Visit visit(const ProbeRules& rules, ProbeState state, const Sight& sight);

// Call before a visit to `container`: failures of liveness and startup are counted anew for each
// container. (A kubelet's worker continues its count, and so kills the next container earlier.)
[[nodiscard]] ProbeState without_predecessors_run(const ProbeRules& rules, ProbeState state,
                                                  const cri::ContainerId& container);

// Whether readiness runs out of turn when the status is computed, because only its result is
// missing.
[[nodiscard]] bool wants_readiness_now(bool started, bool running,
                                       std::optional<ProbeResult> readiness);

// --- what does the answer change? ----------------------------------------------------------------

inline constexpr int kTries = 3;  // consecutive attempts per run, while they error

[[nodiscard]] bool tries_again(const Attempt& attempt, int tries);

// A limit that expired while berthd itself was delayed proves nothing: such an attempt errors.
// `held_up`: how much of its time the loop was not available.
[[nodiscard]] Attempt without_own_delay(Attempt attempt, Nanoseconds held_up);

// The kubelet's event for an answer.
struct ProbeNotice {
  std::string reason{};  // Unhealthy, ProbeWarning; always of type Warning
  std::string message{};

  bool operator==(const ProbeNotice&) const = default;
};

// What an answer may change (schedule.hpp decides which).
enum class Weight : std::uint8_t {
  kFull,     // like each tick of a kubelet's worker
  kMayHelp,  // too early for a failure to count: it is reported, but changes nothing
};

// How an answer was treated.
enum class Standing : std::uint8_t {
  kCounted,   // counted, in the metric as well
  kErrored,   // it says nothing about the container
  kTooEarly,  // a failure that does not count yet
};
[[nodiscard]] std::string_view to_string(Standing standing);  // counted, errored, too early

struct Judgement {
  ProbeState state{};
  std::optional<ProbeUpdate> update{};
  std::optional<ProbeNotice> notice{};
  Standing standing = Standing::kCounted;
};

[[nodiscard]] Judgement judge(const ProbeRules& rules, ProbeState state, const Attempt& attempt,
                              Weight weight);

// An answer with all that it was judged by.
struct JudgedAnswer {
  ProbeRules rules{};
  ProbeState state{};  // before it
  Attempt attempt{};
  Weight weight = Weight::kFull;
  Judgement judgement{};
};
[[nodiscard]] JudgedAnswer judged(const ProbeRules& rules, ProbeState state, Attempt attempt,
                                  Weight weight);

}  // namespace berth::probes
