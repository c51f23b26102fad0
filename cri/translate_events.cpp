// SPDX-License-Identifier: Apache-2.0

#include "cri/translate_events.hpp"

#include <limits>

#include "cri/containerd_tasks.pb.h"
#include "cri/translate_parts.hpp"

namespace berth::cri {
namespace {

using containerd::services::events::v1::Envelope;

// Returns 0, an unknown time, for a time before 1970 or beyond 64 bits: containerd reports an exit
// of which it knows no time with Go's zero time, the year 1.
std::int64_t nanoseconds(const containerd::events::Timestamp& time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  // The nanoseconds of a malformed time may be more than a second.
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max() / kSecond - 3;
  if (time.seconds() < 0 || time.seconds() > kLast || time.nanos() < 0) return 0;
  return time_from(time.seconds() * kSecond + time.nanos());
}

// The type_url is bare, although Any's rule is a slash before the name; accept both, as a runtime
// may fix that.
std::string_view type_name(const Envelope& message) {
  const std::string_view url = message.event().type_url();
  const auto slash = url.rfind('/');
  return slash == std::string_view::npos ? url : url.substr(slash + 1);
}

template <class Payload>
std::optional<Payload> payload(const Envelope& message) {
  Payload result;
  if (!result.ParseFromString(message.event().value())) return std::nullopt;
  return result;
}

template <class Payload>
std::optional<Event> simple_event(EventType type, const Envelope& message) {
  const auto task = payload<Payload>(message);
  if (!task) return std::nullopt;
  return Event{.type = type, .id = task->container_id(), .at = nanoseconds(message.timestamp())};
}

// TaskExit and TaskDelete: `id` is the process; it is empty for a task's deletion.
template <class Payload>
std::optional<Event> stopped_event(const Envelope& message) {
  const auto task = payload<Payload>(message);
  if (!task) return std::nullopt;
  if (!task->id().empty() && task->id() != task->container_id()) return std::nullopt;
  return Event{.type = EventType::kStopped,
               .id = task->container_id(),
               .at = nanoseconds(task->exited_at()),
               .exit_code = static_cast<std::int32_t>(task->exit_status())};
}

// Takes exit code and time from the container's status if the event includes it: the event itself
// is created some milliseconds after the exit, possibly in the next second.
void report_exit(const runtime::v1::ContainerEventResponse& message, Event& event) {
  for (const auto& status : message.containers_statuses()) {
    if (status.id() != event.id || status.state() != runtime::v1::CONTAINER_EXITED) continue;
    event.exit_code = status.exit_code();
    if (status.finished_at() > 0) event.at = time_from(status.finished_at());
  }
}

}  // namespace

std::optional<Event> event_from(const runtime::v1::ContainerEventResponse& message) {
  Event event{.id = message.container_id(), .at = time_from(message.created_at())};
  switch (message.container_event_type()) {
    case runtime::v1::CONTAINER_CREATED_EVENT:
      event.type = EventType::kCreated;
      return event;
    case runtime::v1::CONTAINER_STARTED_EVENT:
      event.type = EventType::kStarted;
      return event;
    case runtime::v1::CONTAINER_STOPPED_EVENT:
      event.type = EventType::kStopped;
      report_exit(message, event);
      return event;
    case runtime::v1::CONTAINER_DELETED_EVENT:
      event.type = EventType::kDeleted;
      return event;
    default:  // newer than we are: the relist will see the change
      return std::nullopt;
  }
}

std::optional<Event> event_from(const Envelope& message) {
  const std::string_view type = type_name(message);
  if (type == "containerd.events.TaskStart") {
    return simple_event<containerd::events::TaskStart>(EventType::kStarted, message);
  }
  if (type == "containerd.events.TaskOOM") {
    return simple_event<containerd::events::TaskOOM>(EventType::kOutOfMemory, message);
  }
  if (type == "containerd.events.TaskExit") {
    return stopped_event<containerd::events::TaskExit>(message);
  }
  if (type == "containerd.events.TaskDelete") {
    return stopped_event<containerd::events::TaskDelete>(message);
  }
  return std::nullopt;
}

}  // namespace berth::cri
