// SPDX-License-Identifier: Apache-2.0

// Whether the preStop hook of a container that is being stopped should begin now, still runs, or no
// longer matters.
//
// A hook runs once per stop, even across restarts of berthd: a hook that an earlier berthd began,
// or for which it was too late, is not begun again. termination_order.hpp decides how long to wait
// for it. Steady time. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// A hook that this berthd began, or for which it was too late.
struct PreStop {
  std::optional<SteadyTime> done_at{};  // returned, or given up; unset while it runs

  bool operator==(const PreStop&) const = default;
};

struct PreStopSituation {
  bool has_hook = false;           // in the spec
  bool leaves_time = true;         // the grace period is long enough for a hook
  bool container_runs = false;     // nothing can run in one that has not started, or has ended
  bool begun_before = false;       // by an earlier berthd, according to the store
  std::optional<PreStop> known{};  // by this one
  SteadyTime stop_began{};
};

struct PreStopStep {
  bool begin = false;
  // When the hook was over; from then on only the container is waited for. Unset while the hook
  // runs.
  std::optional<SteadyTime> done_at{};
  // The outcome of the hook is unknown: from now on it counts as done.
  bool settle = false;

  bool operator==(const PreStopStep&) const = default;
};

[[nodiscard]] PreStopStep pre_stop_step(const PreStopSituation& situation, SteadyTime now);

// The situation together with its pod and container.
struct PreStopQuestion {
  RefOrValue<api::Pod> pod{};
  std::string container{};
  PreStopSituation situation{};
  SteadyTime now{};
};

// The rule by which a hook begins.
inline constexpr std::string_view kPreStopDue = "PreStopDue";

// Why, as a clause. Only for a hook that exists and that this berthd has not begun yet.
[[nodiscard]] Reason pre_stop_reason(const PreStopQuestion& question, const PreStopStep& step);

}  // namespace berth::lifecycle
