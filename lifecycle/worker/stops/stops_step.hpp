// SPDX-License-Identifier: Apache-2.0

// What to do next for the containers of a pod that are to stop. One function covers all stops: of a
// whole pod that ends or whose sandbox is replaced, and of single containers while the pod lives on
// (a probe, an edit, a resize, a failed postStart hook).
//
// Called after every change; the same input yields the same step. The caller carries out the step,
// in the order of its members, and records it (container_stops.hpp). A whole pod stops in order
// (termination_order.hpp); single containers do not wait for one another. Steady time. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "cri/types.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pre_stop_step.hpp"
#include "lifecycle/single_stop.hpp"
#include "lifecycle/termination_order.hpp"
#include "lifecycle/worker/stops/container_stop.hpp"

namespace berth::lifecycle {

enum class StopScope : std::uint8_t { kPod, kSingles };

// When a failed StopContainer call is retried.
enum class StopRetry : std::uint8_t { kNone, kLater, kDue };

// One container that is to stop and has not ended.
struct ContainerToStop {
  std::string id{};
  std::string name{};
  cri::ContainerState state = cri::ContainerState::kUnknown;
  StopGrace grace{};
  bool has_pre_stop = false;     // in the spec
  bool starting = false;         // StartContainer was called, and its outcome is unknown
  bool sandbox_known = false;    // the runtime has its sandbox
  bool sandbox_stopped = false;  // by a call of this berthd
  StopRetry retry = StopRetry::kNone;
  ContainerStop stop{};  // with a period in force
};

struct StopsInput {
  RefOrValue<api::Pod> pod{};
  StopScope scope = StopScope::kPod;
  // By id. With scope kSingles, only those that were asked for, without a call under way or due
  // later.
  std::vector<ContainerToStop> containers{};
  SteadyTime now{};
};

// A StopContainer call to be made.
struct StopCall {
  std::string id{};
  std::string name{};
  std::int64_t timeout_seconds = 0;

  bool operator==(const StopCall&) const = default;
};

// Another call besides the one under way, with the rest of the grace period.
struct ShorterCall {
  StopCall call{};
  SteadyTime kill_at{};  // when the runtime kills at the latest
};

struct PreStopDecision {
  std::string id{};
  PreStopQuestion question{};
  PreStopStep step{};
};

struct SingleStopDecision {
  SingleStopQuestion question{};
  TerminationStep step{};
};

struct StopsStep {
  std::vector<std::string> retry_at_once{};  // the failure of its call no longer counts
  std::vector<ShorterCall> shorten_again{};  // a call that shortened the period has failed
  std::vector<PreStopDecision> pre_stops{};
  // With scope kPod: the input of the order's decision, and the order.
  std::vector<StoppingContainer> stopping{};
  TerminationStep order{};
  std::vector<SingleStopDecision> singles{};  // with scope kSingles
  std::vector<std::string> give_up_hooks{};
  std::vector<std::string> begin_hooks{};
  std::vector<StopCall> calls{};
  std::vector<std::string> await_starts{};  // created; their start may still succeed
  std::vector<std::string> created{};       // in sandboxes that still have to be stopped
  std::vector<std::string> left{};          // left to the stop of their sandbox
  std::optional<SteadyTime> look_again_at{};

  // With scope kPod: whether something runs, or may begin to.
  [[nodiscard]] bool waits() const { return !stopping.empty() || !await_starts.empty(); }
};

// The step refers to the input's pod.
[[nodiscard]] StopsStep next_stops_step(const StopsInput& input);

}  // namespace berth::lifecycle
