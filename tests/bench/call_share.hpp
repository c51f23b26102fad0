// SPDX-License-Identifier: Apache-2.0

// Whose time was spent: the part of the time between a trigger and a milestone without an
// outstanding call to the runtime is the agent's own. Pure; times of the steady clock.
#pragma once

#include <string>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::bench {

struct Interval {
  SteadyTime begin{};
  SteadyTime end{};
};

// Something that takes time: a call, or the program of a container.
struct Span {
  std::string name{};
  Interval during{};
};

// A part of the window without any span, named by its neighbours ("trigger" and "milestone" at the
// window's ends).
struct Gap {
  std::string after{};
  std::string before{};
  SteadyTime begin{};
  Nanoseconds length{};
};

// In order of time; touching or overlapping spans leave no gap between them.
[[nodiscard]] std::vector<Gap> gaps(const std::vector<Span>& spans, Interval window);

// The length of all gaps: the window minus the union of the spans, clipped to the window.
[[nodiscard]] Nanoseconds own_share(const std::vector<Span>& spans, Interval window);

}  // namespace berth::bench
