// SPDX-License-Identifier: Apache-2.0

#include "cri/translate_events.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "cri/containerd_tasks.pb.h"

namespace berth::cri {
namespace {

using containerd::services::events::v1::Envelope;
using runtime::v1::ContainerEventResponse;

template <class Payload>
Envelope envelope(const std::string& type_url, const Payload& payload) {
  Envelope message;
  message.mutable_timestamp()->set_seconds(100);
  message.mutable_timestamp()->set_nanos(7);
  message.mutable_event()->set_type_url(type_url);
  message.mutable_event()->set_value(payload.SerializeAsString());
  return message;
}

containerd::events::TaskExit exit_of(const std::string& container, const std::string& process) {
  containerd::events::TaskExit task;
  task.set_container_id(container);
  task.set_id(process);
  task.set_exit_status(137);
  task.mutable_exited_at()->set_seconds(99);
  return task;
}

TEST(ContainerdEvents, an_exit_has_code_and_time) {
  const auto event = event_from(envelope("containerd.events.TaskExit", exit_of("c1", "c1")));
  EXPECT_EQ(
      event,
      (Event{.type = EventType::kStopped, .id = "c1", .at = 99'000'000'000, .exit_code = 137}));
}

TEST(ContainerdEvents, a_time_before_1970_or_beyond_64_bits_is_unknown) {
  constexpr std::int64_t kYearOne = -62'135'596'800;
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;
  for (const std::int64_t seconds : {kYearOne, std::int64_t{-1}, kFar, kFar * 1000}) {
    auto task = exit_of("c1", "c1");
    task.mutable_exited_at()->set_seconds(seconds);
    task.mutable_exited_at()->set_nanos(std::numeric_limits<std::int32_t>::max());
    const auto event = event_from(envelope("containerd.events.TaskExit", task));
    ASSERT_TRUE(event);
    EXPECT_EQ(event->at, 0) << seconds;
    EXPECT_EQ(event->exit_code, 137);
  }
}

TEST(ContainerdEvents, an_execs_exit_is_not_the_containers) {
  EXPECT_EQ(event_from(envelope("containerd.events.TaskExit", exit_of("c1", "probe-7"))),
            std::nullopt);
}

TEST(ContainerdEvents, a_deleted_task_has_stopped_and_a_deleted_exec_is_nothing) {
  containerd::events::TaskDelete task;
  task.set_container_id("c1");
  task.set_exit_status(3);
  const auto event = event_from(envelope("containerd.events.TaskDelete", task));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, EventType::kStopped);
  EXPECT_EQ(event->exit_code, 3);
  task.set_id("probe-7");
  EXPECT_EQ(event_from(envelope("containerd.events.TaskDelete", task)), std::nullopt);
}

TEST(ContainerdEvents, a_start_and_an_oom_carry_the_envelopes_time) {
  containerd::events::TaskStart start;
  start.set_container_id("c1");
  EXPECT_EQ(event_from(envelope("containerd.events.TaskStart", start)),
            (Event{.type = EventType::kStarted, .id = "c1", .at = 100'000'000'007}));
  containerd::events::TaskOOM oom;
  oom.set_container_id("c1");
  EXPECT_EQ(event_from(envelope("containerd.events.TaskOOM", oom)),
            (Event{.type = EventType::kOutOfMemory, .id = "c1", .at = 100'000'000'007}));
}

TEST(ContainerdEvents, a_type_url_with_a_host_is_understood_too) {
  const std::string url = "type.googleapis.com/containerd.events.TaskExit";
  EXPECT_TRUE(event_from(envelope(url, exit_of("c1", "c1"))));
}

TEST(ContainerdEvents, other_events_and_garbage_are_nothing) {
  EXPECT_EQ(event_from(envelope("containerd.events.TaskPaused", exit_of("c1", "c1"))),
            std::nullopt);
  Envelope garbage;
  garbage.mutable_event()->set_type_url("containerd.events.TaskExit");
  garbage.mutable_event()->set_value("\xff\xff\xff");
  EXPECT_EQ(event_from(garbage), std::nullopt);
}

struct TypeCase {
  runtime::v1::ContainerEventType theirs;
  EventType ours;
};

TEST(CriEvents, every_type_has_its_counterpart) {
  const TypeCase cases[] = {
      {runtime::v1::CONTAINER_CREATED_EVENT, EventType::kCreated},
      {runtime::v1::CONTAINER_STARTED_EVENT, EventType::kStarted},
      {runtime::v1::CONTAINER_STOPPED_EVENT, EventType::kStopped},
      {runtime::v1::CONTAINER_DELETED_EVENT, EventType::kDeleted},
  };
  for (const auto& [theirs, ours] : cases) {
    ContainerEventResponse message;
    message.set_container_id("c1");
    message.set_created_at(5);
    message.set_container_event_type(theirs);
    EXPECT_EQ(event_from(message), (Event{.type = ours, .id = "c1", .at = 5}));
  }
}

TEST(CriEvents, an_unknown_type_is_nothing) {
  ContainerEventResponse message;
  message.set_container_event_type(static_cast<runtime::v1::ContainerEventType>(99));
  EXPECT_EQ(event_from(message), std::nullopt);
}

TEST(CriEvents, a_stop_has_exit_code_and_time_only_when_the_status_shows_the_exit) {
  ContainerEventResponse message;
  message.set_container_id("c1");
  message.set_created_at(9);
  message.set_container_event_type(runtime::v1::CONTAINER_STOPPED_EVENT);
  auto& status = *message.add_containers_statuses();
  status.set_id("c1");
  status.set_exit_code(4);
  status.set_finished_at(7);
  status.set_state(runtime::v1::CONTAINER_RUNNING);
  EXPECT_EQ(event_from(message)->exit_code, std::nullopt);
  EXPECT_EQ(event_from(message)->at, 9);
  status.set_state(runtime::v1::CONTAINER_EXITED);
  EXPECT_EQ(event_from(message)->exit_code, 4);
  EXPECT_EQ(event_from(message)->at, 7);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  status.set_finished_at(kMost);
  EXPECT_EQ(event_from(message)->at, kMost / 2);
}

}  // namespace
}  // namespace berth::cri
