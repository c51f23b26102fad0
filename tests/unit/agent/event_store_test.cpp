#include "agent/event_store.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

const WallTime kStart{1'700'000'000s};

EventStore::Happening happening(const std::string& reason, const std::string& message = "m") {
  return {.reason = reason,
          .message = message,
          .about = {.kind = "Pod", .namespace_ = "default", .name = "web", .uid = "u1"}};
}

TEST(EventStore, repeats_are_folded_into_a_count) {
  EventStore store("kubelet", "n1", {});
  const auto first = store.record(happening("BackOff"), kStart);
  const auto second = store.record(happening("BackOff"), kStart + 10s);
  EXPECT_EQ(first->count, 1) << "what was handed out stays as it was";
  EXPECT_EQ(second->count, 2);
  EXPECT_EQ(second->metadata.name, first->metadata.name);
  EXPECT_EQ(second->firstTimestamp, first->firstTimestamp);
  EXPECT_EQ(second->lastTimestamp->at, kStart + 10s);
  EXPECT_EQ(store.list().size(), 1U);
}

TEST(EventStore, what_differs_in_message_is_another_event) {
  EventStore store("kubelet", "n1", {});
  store.record(happening("Pulled", "in 1s"), kStart);
  store.record(happening("Pulled", "in 2s"), kStart);
  EXPECT_EQ(store.list().size(), 2U);
}

TEST(EventStore, the_one_seen_last_comes_last) {
  EventStore store("kubelet", "n1", {});
  store.record(happening("A"), kStart);
  store.record(happening("B"), kStart + 1s);
  store.record(happening("A"), kStart + 2s);
  EXPECT_EQ(store.list().back()->reason, "A");
}

TEST(EventStore, is_bounded_by_number_and_age) {
  EventStore store("kubelet", "n1", {.count = 2, .age = 60s});
  store.record(happening("A"), kStart);
  store.record(happening("B"), kStart);
  store.record(happening("C"), kStart);
  ASSERT_EQ(store.list().size(), 2U);
  EXPECT_EQ(store.list().front()->reason, "B");
  store.record(happening("D"), kStart + 61s);
  ASSERT_EQ(store.list().size(), 1U);
  EXPECT_EQ(store.list().front()->reason, "D");
}

TEST(EventStore, finds_what_is_about_one_pod) {
  EventStore store("kubelet", "n1", {});
  store.record(happening("A"), kStart);
  store.record({.reason = "Starting", .message = "m", .about = reference_to_node("n1")}, kStart);
  EXPECT_EQ(store.about("u1").size(), 1U);
  EXPECT_EQ(store.about("n1").size(), 1U);
  EXPECT_EQ(store.about("u2").size(), 0U);
}

TEST(EventStore, goes_on_from_what_an_earlier_one_recorded) {
  EventStore earlier("kubelet", "n1", {.count = 10, .age = 60s});
  earlier.record(happening("Old"), kStart);
  earlier.record(happening("BackOff"), kStart + 10s);
  const auto last = earlier.record(happening("Pulled"), kStart + 50s);
  earlier.record(happening("BackOff"), kStart + 51s);

  EventStore store("kubelet", "n1", {.count = 10, .age = 60s});
  store.restore(earlier.list(), kStart + 65s);
  ASSERT_EQ(store.list().size(), 2U) << "what is too old by now is not taken over";
  const auto again = store.record(happening("BackOff"), kStart + 66s);
  EXPECT_EQ(again->count, 3);
  EXPECT_EQ(again->firstTimestamp->at, kStart + 10s);
  EXPECT_EQ(store.list().back(), again);
  const auto next = store.record(happening("Started"), kStart + 66s);
  const auto number = [](const EventPtr& event) {
    return event->metadata.name.substr(event->metadata.name.size() - 4);
  };
  EXPECT_EQ(number(last), "0003");
  EXPECT_EQ(number(next), "0004") << "names go on counting";
}

}  // namespace
}  // namespace berth::agent
