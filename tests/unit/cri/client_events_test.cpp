// SPDX-License-Identifier: Apache-2.0

#include "cri/client_events.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/deadline.hpp"
#include "base/real_clock.hpp"
#include "fake_runtime_server.hpp"

namespace berth::cri {
namespace {

using namespace std::chrono_literals;
using boost::asio::awaitable;

const Event kResubscribed{.type = EventType::kResubscribed};

awaitable<Result<Event>> as_result(awaitable<Event> next) {
  auto event = co_await std::move(next);
  co_return event;
}

awaitable<void> take_next(EventStream& events, Clock& clock, Nanoseconds limit,
                          std::optional<Event>& out) {
  std::string what = "the next event";
  auto raced =
      with_deadline(clock, clock.steady_now() + limit, std::move(what), as_result(events.next()));
  const auto event = co_await std::move(raced);
  if (event) out = *event;
}

awaitable<void> pause(Clock& clock, Nanoseconds duration) {
  co_await clock.sleep_for(duration);
}

struct ClientEventsTest : testing::Test {
  void SetUp() override { server.emplace(socket.path()); }
  void TearDown() override {
    tasks.request_stop();
    run_until([this] { return tasks.size() == 0; });
    EXPECT_EQ(tasks.size(), 0U);
  }

  template <class Condition>
  bool run_until(Condition condition) {
    const SteadyTime limit = clock.steady_now() + 10s;
    while (!condition() && clock.steady_now() < limit) {
      if (loop.stopped()) loop.restart();
      loop.run_one_for(10ms);
    }
    return condition();
  }
  std::optional<Event> next(Nanoseconds limit = 10s) {
    TaskGroup readers(loop.get_executor(), [](auto, auto) { FAIL(); });
    std::optional<Event> event;
    readers.spawn("reader", take_next(events, clock, limit, event));
    run_until([&readers] { return readers.size() == 0; });
    return event;
  }
  void wait(Nanoseconds duration) {
    TaskGroup waiters(loop.get_executor(), [](auto, auto) { FAIL(); });
    waiters.spawn("pause", pause(clock, duration));
    run_until([&waiters] { return waiters.size() == 0; });
  }
  void started(const std::string& id) {
    pb::ContainerEventResponse message;
    message.set_container_id(id);
    message.set_container_event_type(pb::CONTAINER_STARTED_EVENT);
    server->cri_streams.send(message);
  }

  TemporarySocket socket{};
  std::optional<FakeRuntimeServer> server{};
  RealClock clock{};
  boost::asio::io_context loop{1};
  TaskGroup tasks{loop.get_executor(), [](auto, auto) { FAIL(); }};
  ClientEvents events{clock, loop.get_executor(), tasks,
                      connect(loop.get_executor(), {.runtime = socket.path()})};
};

TEST_F(ClientEventsTest, an_opened_stream_begins_with_resubscribed_and_is_connected) {
  EXPECT_FALSE(events.connected());
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_TRUE(events.connected());
  ASSERT_TRUE(events.state().features);
  EXPECT_TRUE(events.state().features->container_events);
  EXPECT_EQ(events.state().features->version.runtime_name, "fake");
  EXPECT_EQ(events.state().last_error, std::nullopt);
}

TEST_F(ClientEventsTest, events_come_in_order) {
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  started("a");
  started("b");
  EXPECT_EQ(next()->id, "a");
  EXPECT_EQ(next()->id, "b");
}

TEST_F(ClientEventsTest, an_error_that_was_cut_within_a_character_ends_no_stream) {
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  pb::ContainerEventResponse message;
  message.set_container_id("a");
  message.set_container_event_type(pb::CONTAINER_STARTED_EVENT);
  message.add_containers_statuses()->set_message("runc: \xe2\x82");
  server->cri_streams.send(message);
  EXPECT_EQ(next()->id, "a");
}

TEST_F(ClientEventsTest, an_event_before_the_stream_has_settled_follows_resubscribed) {
  events.start();
  ASSERT_TRUE(run_until([this] { return server->cri_streams.opened() == 1; }));
  started("early");
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_EQ(next()->id, "early");
  EXPECT_EQ(next(200ms), std::nullopt) << "resubscribed must come once";
}

TEST_F(ClientEventsTest, without_cri_events_containerds_own_are_subscribed_to) {
  server->container_events = FakeRuntimeServer::Events::kUnimplemented;
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_FALSE(events.state().features->container_events);
  EXPECT_EQ(server->containerd_filter, "namespace==k8s.io,topic~=^/tasks/");

  containerd::events::TaskExit task;
  task.set_container_id("c1");
  task.set_id("c1");
  Envelope message;
  message.mutable_event()->set_type_url("containerd.events.TaskExit");
  message.mutable_event()->set_value(task.SerializeAsString());
  server->containerd_streams.send(message);
  EXPECT_EQ(next()->type, EventType::kStopped);
}

// containerd 1.7 gives each CRI event to one subscriber only, even a dead one.
TEST_F(ClientEventsTest, cris_events_are_not_subscribed_to_where_a_dead_subscriber_takes_them) {
  server->name = "containerd";
  server->version_text = "1.7.24~ds1";
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_FALSE(events.state().features->container_events);
  EXPECT_EQ(server->cri_streams.opened(), 0);
  EXPECT_EQ(server->containerd_streams.opened(), 1);
}

TEST_F(ClientEventsTest, cris_events_of_containerd_2_are_subscribed_to) {
  server->name = "containerd";
  server->version_text = "v2.1.4";
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_TRUE(events.state().features->container_events);
  EXPECT_EQ(server->containerd_streams.opened(), 0);
}

TEST_F(ClientEventsTest, without_any_events_it_is_not_connected_and_says_why) {
  server->container_events = FakeRuntimeServer::Events::kUnimplemented;
  server->containerd_events = false;
  events.start();
  ASSERT_TRUE(run_until([this] { return events.state().last_error.has_value(); }));
  EXPECT_FALSE(events.connected());
  EXPECT_EQ(events.state().last_error->code, ErrorCode::kUnimplemented);
  EXPECT_TRUE(events.state().features);
}

// CRI-O implements the call, and sends events only if its configuration says so.
TEST_F(ClientEventsTest, a_stream_that_ends_well_at_once_is_one_without_events) {
  server->container_events = FakeRuntimeServer::Events::kEndedAtOnce;
  server->containerd_events = false;
  events.start();
  ASSERT_TRUE(run_until([this] { return events.state().last_error.has_value(); }));
  EXPECT_FALSE(events.connected());
  EXPECT_EQ(events.state().last_error->code, ErrorCode::kUnimplemented);
  EXPECT_EQ(events.state().last_error->message,
            "GetContainerEvents: the runtime ends the stream at once: it sends no events");
  EXPECT_EQ(next(500ms), std::nullopt);
  EXPECT_EQ(server->cri_streams.opened(), 1) << "and is not asked for again so soon";
}

TEST_F(ClientEventsTest, a_stream_that_ends_is_opened_again_and_says_so) {
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  server->cri_streams.end_all({grpc::StatusCode::INTERNAL, "hiccup"});
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_TRUE(events.connected());
  EXPECT_EQ(events.state().last_error->message,
            "GetContainerEvents: rpc error: code = Internal desc = hiccup");
}

TEST_F(ClientEventsTest, a_restarted_runtime_is_found_again_and_asked_again_what_it_can) {
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  server->stop();
  ASSERT_TRUE(run_until([this] { return !events.connected(); }));
  server->version_text = "2.0";
  server->container_events = FakeRuntimeServer::Events::kUnimplemented;
  server->start();
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_EQ(events.state().features->version.runtime_version, "2.0");
  EXPECT_FALSE(events.state().features->container_events);
}

TEST_F(ClientEventsTest, a_runtime_that_comes_later_is_waited_for) {
  server->stop();
  events.start();
  ASSERT_TRUE(run_until([this] { return events.state().last_error.has_value(); }));
  EXPECT_EQ(events.state().last_error->code, ErrorCode::kUnavailable);
  server->start();
  EXPECT_EQ(next(), kResubscribed);
}

TEST_F(ClientEventsTest, a_silent_stream_is_reopened_on_demand_and_at_once) {
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  const SteadyTime asked = clock.steady_now();
  events.reconnect("a relist found c1 exited");
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_EQ(server->cri_streams.opened(), 2);
  EXPECT_LT(clock.steady_now() - asked, 5s);
  EXPECT_EQ(events.state().last_error->message,
            "reopened the event stream: a relist found c1 exited");
}

TEST_F(ClientEventsTest, unread_events_are_bounded_and_replaced_by_resubscribed) {
  events.start();
  EXPECT_EQ(next(), kResubscribed);
  for (int i = 0; i < 4097; ++i) started(std::to_string(i));
  wait(2s);
  EXPECT_EQ(next(), kResubscribed);
  EXPECT_EQ(next()->id, "4096");
}

}  // namespace
}  // namespace berth::cri
