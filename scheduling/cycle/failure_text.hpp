// SPDX-License-Identifier: Apache-2.0

// Why a pod could not be placed, in the words of its PodScheduled condition and its event. Pure.
#pragma once

#include <string>

namespace berth::scheduling {

class Scheduler;

// For the scheduler's last decision, in which no node was feasible. `post_filter`: preemption's
// message; empty if there is none.
[[nodiscard]] std::string failure_text(const Scheduler& scheduler, const std::string& post_filter);

// Truncates the message to an event's limit of 1024 bytes.
[[nodiscard]] std::string event_text(const std::string& message);

}  // namespace berth::scheduling
