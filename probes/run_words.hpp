// SPDX-License-Identifier: Apache-2.0

// Words the runs behind a probe's verdict: the last one, those before it, and which of them started
// late.
//
// Pure. Negligible lateness is not mentioned.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/clock_types.hpp"
#include "probes/probe_view.hpp"

namespace berth::probes {

// A run that started later than this after it was due is distinguished from one that just failed.
inline constexpr Nanoseconds kLateWorthSaying = std::chrono::milliseconds{100};

// "failed 3 of 3, connect refused after 1 ms; before that: status 503, then no response within 1 s
// (begun 1.2 s late)". `runs`: the last few, oldest first, the deciding one last; `needed`: how
// many equal answers in a row decided.
[[nodiscard]] std::string verdict_words(std::span<const ProbeRun> runs, int needed);

}  // namespace berth::probes
