// SPDX-License-Identifier: Apache-2.0

// Converts runtimes' events to our Event; `std::nullopt` for events that we do not react to.
//
// CRI's events are about containers and sandboxes. containerd's are about tasks, and are ahead of
// what CRI shows: an exit causes, within milliseconds, first /tasks/exit and then, when containerd
// has cleaned up, /tasks/delete, right before CRI shows the exit. Both are reported as kStopped:
// the first one is immediate, the second one marks the time to look. The exit of an exec (`id`
// differs from the container's) is ignored.
#pragma once

#include <optional>

#include "cri/containerd_events.pb.h"
#include "cri/cri.pb.h"
#include "cri/types.hpp"

namespace berth::cri {

[[nodiscard]] std::optional<Event> event_from(const runtime::v1::ContainerEventResponse& message);
[[nodiscard]] std::optional<Event> event_from(
    const containerd::services::events::v1::Envelope& message);

}  // namespace berth::cri
