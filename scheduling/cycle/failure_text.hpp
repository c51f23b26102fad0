// Why a pod could not be placed, as its PodScheduled condition and its event say it. Pure.
#pragma once

#include <string>

namespace berth::scheduling {

class Scheduler;

// Of the scheduler's last decision, in which no node was feasible. `post_filter`: what preemption
// says; empty if it says nothing.
[[nodiscard]] std::string failure_text(const Scheduler& scheduler, const std::string& post_filter);

// An event's text, which holds 1024 bytes.
[[nodiscard]] std::string event_text(const std::string& message);

}  // namespace berth::scheduling
