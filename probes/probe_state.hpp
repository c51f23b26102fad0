// One probe of one container as a state machine: when it may ask, and what an answer changes.
//
// Pure: (rules, state, what is seen or answered) to (new state, what to publish). The rules are
// the kubelet's (vectors probe_worker, probe_pod). A state belongs to a probe for as long as its
// pod runs here; its container comes and goes, and a run of equal results goes on over that, but
// nobody is killed for what another container failed.
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

// What holds for a probe as long as it exists.
struct ProbeRules {
  ProbeType type = ProbeType::kReadiness;
  std::int32_t initial_delay_seconds = 0;
  std::int32_t success_threshold = 1;
  std::int32_t failure_threshold = 3;
  bool never_restarted = false;  // the container, however it ends
  bool pod_was_deleted = false;  // already when the probe began

  bool operator==(const ProbeRules&) const = default;
};

[[nodiscard]] ProbeRules probe_rules(ProbeType type, const api::Probe& probe,
                                     const api::Container& container, const api::Pod& pod);

struct ProbeState {
  cri::ContainerId container{};       // the one it is about; empty: none seen yet
  std::optional<ProbeResult> held{};  // what is published of it
  std::optional<ProbeResult> last{};  // what was answered last, counted or not yet enough
  std::int32_t run = 0;               // equal answers in a row
  bool on_hold = false;               // decided: not asked again before the next container

  bool operator==(const ProbeState&) const = default;
};

// After a start of berthd, or on taking over a running container: what was published stays until
// an answer says otherwise.
[[nodiscard]] ProbeState resumed_state(const ProbeRules& rules, cri::ContainerId container,
                                       ProbeResult kept);

struct ProbeUpdate {
  cri::ContainerId container{};
  ProbeResult result = ProbeResult::kUnknown;

  bool operator==(const ProbeUpdate&) const = default;
};

// --- may it ask? ---------------------------------------------------------------------------------

// What is known of the container when its probe comes round.
struct Sight {
  bool pod_known = false;     // a status of the pod exists
  bool pod_finished = false;  // its phase is Failed or Succeeded
  cri::ContainerId container{};
  bool running = false;
  bool terminated = false;
  bool started = false;  // no startup probe, or passed
  Nanoseconds running_for{0};

  bool operator==(const Sight&) const = default;
};

enum class Next : std::uint8_t {
  kProbe,  // ask now
  kDelay,  // ask when the initial delay is over
  kWait,   // nothing to do until something else is seen
  kEnd,    // never again; what is held goes with it
};

struct Visit {
  Next next = Next::kWait;
  ProbeState state{};
  std::vector<ProbeUpdate> updates{};  // in order
  Nanoseconds delay_left{0};
  std::string_view why{};  // it does not ask
};

[[nodiscard]] Visit visit(const ProbeRules& rules, ProbeState state, const Sight& sight);

// Before a visit to `container`: failures of liveness and startup are counted anew with each
// container. (A kubelet's worker goes on counting, and kills the next one the sooner for it.)
[[nodiscard]] ProbeState without_predecessors_run(const ProbeRules& rules, ProbeState state,
                                                  const cri::ContainerId& container);

// Whether readiness is asked out of turn when the status is made: it is all that is missing.
[[nodiscard]] bool wants_readiness_now(bool started, bool running,
                                       std::optional<ProbeResult> readiness);

// --- what does the answer change? ----------------------------------------------------------------

inline constexpr int kTries = 3;  // at one time, back to back, of attempts that errored

[[nodiscard]] bool tries_again(const Attempt& attempt, int tries);

// A limit that ran out while berthd itself was held up proves nothing: such an attempt errors.
// `held_up`: how much of its time the loop was not at its service.
[[nodiscard]] Attempt without_own_delay(Attempt attempt, Nanoseconds held_up);

// The kubelet's event.
struct ProbeNotice {
  std::string reason{};  // Unhealthy, ProbeWarning; always of type Warning
  std::string message{};

  bool operator==(const ProbeNotice&) const = default;
};

// What an answer may do (schedule.hpp tells which it is).
enum class Weight : std::uint8_t {
  kFull,     // as each tick of a kubelet's worker
  kMayHelp,  // it came too early for a failure: that is told, and changes nothing
};

// What became of an answer.
enum class Standing : std::uint8_t {
  kCounted,   // and so does the metric
  kErrored,   // it says nothing about the container
  kTooEarly,  // a failure that may not count yet
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

}  // namespace berth::probes
