// SPDX-License-Identifier: Apache-2.0

// Whether the preStop hook of a container that is being stopped is to be begun now, still runs, or
// has no more to say.
//
// A hook runs once for one stop, whatever becomes of berthd: what an earlier one began, or would
// have begun too late, is not begun again. How long it is waited for is termination_order.hpp's.
// Steady time. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// A hook that this berthd began, or that came too late to be begun.
struct PreStop {
  std::optional<SteadyTime> done_at{};  // returned, or given up; none: it runs

  bool operator==(const PreStop&) const = default;
};

struct PreStopSituation {
  bool has_hook = false;           // in the spec
  bool leaves_time = true;         // the grace period, for a hook
  bool container_runs = false;     // nothing can be run in one that has not started, or has ended
  bool begun_before = false;       // the store says so: by an earlier berthd
  std::optional<PreStop> known{};  // by this one
  SteadyTime stop_began{};
};

struct PreStopStep {
  bool begin = false;
  // From when on only the container itself is waited for; none: the hook runs, or begins now.
  std::optional<SteadyTime> done_at{};
  // What became of it nobody knows: from now on it counts as done.
  bool settle = false;

  bool operator==(const PreStopStep&) const = default;
};

[[nodiscard]] PreStopStep pre_stop_step(const PreStopSituation& situation, SteadyTime now);

// The same with whose hook it is.
struct PreStopQuestion {
  RefOrValue<api::Pod> pod{};
  std::string container{};
  PreStopSituation situation{};
  SteadyTime now{};
};

// The rule by which a hook is begun.
inline constexpr std::string_view kPreStopDue = "PreStopDue";

// Why, as a clause. Of a hook that there is, and that this berthd has not begun yet.
[[nodiscard]] Reason pre_stop_reason(const PreStopQuestion& question, const PreStopStep& step);

}  // namespace berth::lifecycle
