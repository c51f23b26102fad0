// SPDX-License-Identifier: Apache-2.0

#include "agent/events/event_store.hpp"

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

TEST(EventStore, what_differs_only_in_type_is_another_event) {
  EventStore store("kubelet", "n1", {});
  auto warning = happening("Failed");
  warning.warning = true;
  store.record(happening("Failed"), kStart);
  store.record(warning, kStart);
  EXPECT_EQ(store.list().size(), 2U);
}

TEST(EventStore, from_the_tenth_message_on_similar_events_are_combined) {
  EventStore store("kubelet", "n1", {});
  for (int i = 1; i <= 9; ++i) store.record(happening("Failed", std::to_string(i)), kStart);
  ASSERT_EQ(store.list().size(), 9U);
  const auto tenth = store.record(happening("Failed", "10"), kStart + 1s);
  EXPECT_EQ(tenth->message, "(combined from similar events): 10");
  EXPECT_EQ(tenth->count, 1);
  const auto next = store.record(happening("Failed", "11"), kStart + 2s);
  EXPECT_EQ(next->message, "(combined from similar events): 11") << "it says the newest";
  EXPECT_EQ(next->count, 2);
  EXPECT_EQ(next->metadata.name, tenth->metadata.name);
  EXPECT_EQ(store.list().size(), 10U);
  EXPECT_EQ(store.record(happening("Pulled", "12"), kStart + 2s)->message, "12");
}

TEST(EventStore, after_ten_quiet_minutes_nothing_is_combined_any_more) {
  EventStore store("kubelet", "n1", {});
  for (int i = 1; i <= 9; ++i) store.record(happening("Failed", std::to_string(i)), kStart);
  const auto later = store.record(happening("Failed", "10"), kStart + 601s);
  EXPECT_EQ(later->message, "10");
}

TEST(EventStore, one_object_has_25_events_and_then_one_every_five_minutes) {
  EventStore store("kubelet", "n1", {});
  for (int i = 1; i <= 25; ++i) EXPECT_NE(store.record(happening("BackOff"), kStart), nullptr);
  EXPECT_EQ(store.record(happening("BackOff"), kStart + 1s), nullptr);
  EXPECT_EQ(store.record(happening("Started"), kStart + 1s), nullptr) << "of the object, all";
  EXPECT_EQ(store.list().back()->count, 25);
  auto other = happening("BackOff");
  other.about.uid = "u2";
  EXPECT_NE(store.record(other, kStart + 1s), nullptr);
  const auto later = store.record(happening("BackOff"), kStart + 301s);
  ASSERT_NE(later, nullptr);
  EXPECT_EQ(later->count, 27) << "what was not published is counted";
  EXPECT_EQ(store.record(happening("BackOff"), kStart + 302s), nullptr);
}

TEST(EventStore, a_combined_event_goes_on_after_a_restart) {
  EventStore earlier("kubelet", "n1", {});
  for (int i = 1; i <= 10; ++i) earlier.record(happening("Failed", std::to_string(i)), kStart);
  EventStore store("kubelet", "n1", {});
  store.restore(earlier.list(), kStart + 1s);
  for (int i = 11; i <= 20; ++i) store.record(happening("Failed", std::to_string(i)), kStart + 2s);
  const auto last = store.list().back();
  EXPECT_EQ(last->message, "(combined from similar events): 20");
  EXPECT_EQ(last->count, 2);
}

TEST(EventCorrelator, forgets_whom_it_heard_of_least_recently) {
  EventCorrelator correlator({.burst = 1, .remembered = 2});
  const auto about = [](const char* name) { return api::ObjectReference{.name = name}; };
  EXPECT_TRUE(correlator.allows(about("a"), kStart));
  EXPECT_TRUE(correlator.allows(about("b"), kStart + 1s));
  EXPECT_FALSE(correlator.allows(about("b"), kStart + 2s));
  EXPECT_TRUE(correlator.allows(about("c"), kStart + 3s));
  EXPECT_FALSE(correlator.allows(about("b"), kStart + 4s));
  EXPECT_TRUE(correlator.allows(about("a"), kStart + 5s)) << "forgotten, so it begins anew";
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
