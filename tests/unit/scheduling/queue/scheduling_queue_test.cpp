// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/scheduling_queue.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduling/queue/queue_test_support.hpp"

namespace berth::scheduling {
namespace {

using Names = std::vector<std::string>;

Names pop_all(SchedulingQueue& queue) {
  Names names;
  while (const auto popped = queue.pop()) names.push_back(popped->pod->metadata.name);
  return names;
}

// Adds the pod, pops it at once, and returns it as rejected by the plugins.
void park(SchedulingQueue& queue, const api::Pod& pod, const PluginNames& plugins,
          api::WallTime now) {
  queue.add(shared(pod), now);
  ASSERT_TRUE(queue.pop().has_value());
  queue.return_rejected(pod.metadata.uid, plugins, now);
}

api::Node labelled_node(const std::string& key, const std::string& value) {
  api::Node node = node_named("n1");
  node.metadata.labels[key] = value;
  return node;
}

TEST(SchedulingQueue, pops_by_priority_and_then_by_time) {
  SchedulingQueue queue;
  queue.add(shared(waiting_pod("late")), at(2));
  queue.add(shared(waiting_pod("first", 10)), at(3));
  queue.add(shared(waiting_pod("early")), at(1));
  queue.add(shared(waiting_pod("last", -1)), at(0));
  EXPECT_EQ(pop_all(queue), (Names{"first", "early", "late", "last"}));
  EXPECT_EQ(queue.view().in_flight.size(), 4U);
}

TEST(SchedulingQueue, attempts_are_counted_over_returns) {
  SchedulingQueue queue;
  queue.add(shared(waiting_pod("a")), at(0));
  EXPECT_EQ(queue.pop()->attempts, 1);
  queue.return_rejected("uid-a", {"NodeName"}, at(0));
  queue.activate("shop/a");
  EXPECT_EQ(queue.pop()->attempts, 2);
}

TEST(SchedulingQueue, says_when_it_has_something_to_move) {
  SchedulingQueue queue;
  EXPECT_EQ(queue.next_flush(), std::nullopt);
  park(queue, waiting_pod("parked"), {"NodeName"}, at(10));
  ASSERT_TRUE(queue.next_flush());
  EXPECT_TRUE(queue.flush_unschedulable(*queue.next_flush() - std::chrono::seconds(1)).empty());
  EXPECT_EQ(queue.flush_unschedulable(*queue.next_flush()).size(), 1U);
  SchedulingQueue failing;
  failing.add(shared(waiting_pod("failed")), at(10.5));
  ASSERT_TRUE(failing.pop());
  failing.return_failed("uid-failed", at(10.5));
  ASSERT_EQ(failing.next_flush(), at(12));
  EXPECT_TRUE(failing.flush_backoff(at(11.9)).empty());
  EXPECT_EQ(failing.flush_backoff(at(12)).size(), 1U);
}

TEST(SchedulingQueue, rejected_pod_waits_for_an_event_that_helps) {
  SchedulingQueue queue;
  api::Pod pod = waiting_pod("a");
  pod.spec.nodeSelector = {{"disk", "ssd"}};
  park(queue, pod, {"NodeAffinity"}, at(0.2));
  EXPECT_EQ(queue.view().unschedulable, Names{"shop/a"});
  EXPECT_FALSE(queue.pop().has_value());
  EXPECT_TRUE(queue.on_event(node_added(shared(labelled_node("disk", "hdd"))), at(0.3)).empty());
  const QueueMoves moves =
      queue.on_event(node_added(shared(labelled_node("disk", "ssd"))), at(0.4));
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].to, QueuePlace::kBackoff);
  EXPECT_EQ(moves[0].why, "NodeAdd may help with NodeAffinity");
  EXPECT_EQ(queue.view().backoff.at("shop/a"), at(1));
}

TEST(SchedulingQueue, event_after_the_backoff_makes_it_active_at_once) {
  SchedulingQueue queue;
  park(queue, waiting_pod("a"), {"NodeName"}, at(0.2));
  const QueueMoves moves = queue.on_event(node_added(shared(node_named("n1"))), at(2));
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].to, QueuePlace::kActive);
}

TEST(SchedulingQueue, backoff_ends_with_its_second_and_by_priority) {
  SchedulingQueue queue;
  park(queue, waiting_pod("low"), {"NodeName"}, at(0.1));
  park(queue, waiting_pod("high", 5), {"NodeName"}, at(0.8));
  queue.on_event(node_added(shared(node_named("n1"))), at(0.9));
  EXPECT_TRUE(queue.flush_backoff(at(1.9)).empty());
  EXPECT_EQ(queue.flush_backoff(at(2)).size(), 2U);
  EXPECT_EQ(pop_all(queue), (Names{"high", "low"}));
}

TEST(SchedulingQueue, empty_active_queue_takes_from_the_backoff_but_not_after_an_error) {
  SchedulingQueue queue;
  queue.add(shared(waiting_pod("failed", 100)), at(0));
  ASSERT_TRUE(queue.pop().has_value());
  queue.return_failed("uid-failed", at(0));
  park(queue, waiting_pod("rejected"), {"NodeName"}, at(0));
  queue.on_event(node_added(shared(node_named("n1"))), at(0));
  EXPECT_EQ(queue.view().backoff.size(), 2U);
  EXPECT_EQ(pop_all(queue), Names{"rejected"});
  queue.flush_backoff(at(2));
  EXPECT_EQ(pop_all(queue), Names{"failed"});
}

TEST(SchedulingQueue, errors_in_a_row_have_a_backoff_of_their_own) {
  SchedulingQueue queue({.backoff = {}, .profiles = {{"default-scheduler", {}}}});
  queue.add(shared(waiting_pod("a")), at(0));
  const auto try_again = [&](const PluginNames& plugins, double seconds) {
    queue.activate("shop/a");
    EXPECT_TRUE(queue.pop().has_value());
    if (plugins.empty()) {
      queue.return_failed("uid-a", at(seconds));
    } else {
      queue.return_rejected("uid-a", plugins, at(seconds));
      queue.on_event(node_added(shared(node_named("n1"))), at(seconds));
    }
    return queue.view().backoff.at("shop/a");
  };
  EXPECT_EQ(try_again({"NodeName"}, 10), at(11));
  EXPECT_EQ(try_again({"NodeName"}, 20), at(22));
  EXPECT_EQ(try_again({}, 30), at(31));
  EXPECT_EQ(try_again({}, 40), at(42));
  EXPECT_EQ(try_again({"NodeName"}, 50), at(54));
  EXPECT_EQ(try_again({}, 60), at(61));
}

TEST(SchedulingQueue, event_during_the_cycle_counts_when_the_pod_returns) {
  SchedulingQueue queue;
  queue.add(shared(waiting_pod("before")), at(0));
  ASSERT_TRUE(queue.pop().has_value());
  queue.on_event(node_added(shared(node_named("n1"))), at(1));
  queue.add(shared(waiting_pod("after")), at(1));
  ASSERT_TRUE(queue.pop().has_value());
  queue.return_rejected("uid-before", {"NodeName"}, at(2));
  queue.return_rejected("uid-after", {"NodeName"}, at(2));
  EXPECT_TRUE(queue.view().backoff.contains("shop/before"));
  EXPECT_EQ(queue.view().unschedulable, Names{"shop/after"});
}

TEST(SchedulingQueue, gated_pod_is_no_attempt_until_its_last_gate_is_gone) {
  SchedulingQueue queue;
  api::Pod gated = waiting_pod("a");
  gated.spec.schedulingGates = {{.name = "one"}, {.name = "two"}};
  const QueueMoves added = queue.add(shared(gated), at(0));
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].why, "waiting for scheduling gates: [one two]");
  queue.flush_unschedulable(at(1000));
  queue.activate("shop/a");
  EXPECT_TRUE(queue.view().gated.contains("shop/a"));

  api::Pod half = gated;
  half.spec.schedulingGates.pop_back();
  EXPECT_TRUE(queue.update(shared(gated), shared(half), at(1001)).empty());
  EXPECT_EQ(queue.view().gated.at("shop/a").status(),
            (Status{.code = StatusCode::kUnschedulableAndUnresolvable,
                    .plugin = "SchedulingGates",
                    .reasons = {"waiting for scheduling gates: [one]"}}));

  api::Pod open = half;
  open.spec.schedulingGates.clear();
  queue.update(shared(half), shared(open), at(1002));
  EXPECT_EQ(queue.pop()->attempts, 1);
}

TEST(SchedulingQueue, preempting_pod_is_gated_until_its_victims_are_ended) {
  SchedulingQueue queue;
  queue.add(shared(waiting_pod("a")), at(0));
  ASSERT_TRUE(queue.pop().has_value());
  queue.begin_preemption("uid-a");
  queue.return_rejected("uid-a", {"NodeResourcesFit"}, at(0));
  queue.on_event(assigned_pod_deleted(shared(placed_pod("victim"))), at(1));
  EXPECT_EQ(queue.view().gated.at("shop/a").plugin, "DefaultPreemption");
  queue.end_preemption("uid-a");
  EXPECT_FALSE(queue.pop().has_value());
  queue.activate("shop/a");
  EXPECT_EQ(pop_all(queue), Names{"a"});
}

TEST(SchedulingQueue, pod_whose_preemption_failed_in_flight_is_tried_again_when_it_returns) {
  SchedulingQueue queue;
  for (const char* name : {"a", "b"}) queue.add(shared(waiting_pod(name)), at(0));
  ASSERT_EQ(pop_all(queue), (Names{"a", "b"}));
  queue.begin_preemption("uid-a");
  queue.end_preemption("uid-a");
  EXPECT_TRUE(queue.activate("shop/a").empty());
  queue.requeue_on_return("uid-a");
  for (const char* uid : {"uid-a", "uid-b"}) {
    queue.return_rejected(uid, {"NodeResourcesFit"}, at(0));
  }
  EXPECT_TRUE(queue.view().backoff.contains("shop/a"));
  EXPECT_EQ(queue.view().unschedulable, Names{"shop/b"});
  // requeue_on_return takes effect only once.
  ASSERT_TRUE(queue.pop().has_value());
  queue.return_rejected("uid-a", {"NodeResourcesFit"}, at(5));
  EXPECT_EQ(queue.view().unschedulable, (Names{"shop/a", "shop/b"}));
}

TEST(SchedulingQueue, five_minutes_unschedulable_are_enough) {
  SchedulingQueue queue;
  park(queue, waiting_pod("a"), {"InterPodAffinity"}, at(0));
  EXPECT_TRUE(queue.flush_unschedulable(at(300)).empty());
  const QueueMoves moves = queue.flush_unschedulable(at(300.001));
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].to, QueuePlace::kActive);
  EXPECT_EQ(moves[0].why, "UnschedulableTimeout");
}

TEST(SchedulingQueue, deleted_pod_does_not_come_back) {
  SchedulingQueue queue;
  for (const char* name : {"active", "parked", "flying"}) {
    queue.add(shared(waiting_pod(name)), at(0));
  }
  ASSERT_EQ(pop_all(queue), (Names{"active", "parked", "flying"}));
  queue.return_rejected("uid-parked", {"NodeName"}, at(0));
  queue.return_rejected("uid-active", {"NodeName"}, at(0));
  queue.activate("shop/active");
  for (const char* name : {"active", "parked", "flying"}) {
    queue.erase(shared(waiting_pod(name)), at(1));
  }
  queue.return_rejected("uid-flying", {"NodeName"}, at(2));
  const QueueView view = queue.view();
  EXPECT_TRUE(view.active.empty() && view.backoff.empty() && view.unschedulable.empty() &&
              view.in_flight.empty());
}

TEST(SchedulingQueue, pod_that_comes_back_is_the_one_it_became_meanwhile) {
  SchedulingQueue queue;
  queue.add(shared(waiting_pod("a")), at(0));
  ASSERT_TRUE(queue.pop().has_value());
  api::Pod changed = waiting_pod("a");
  changed.spec.tolerations = {{.key = "k", .operator_ = "Exists"}};
  queue.update(shared(waiting_pod("a")), shared(changed), at(1));
  const QueueMoves moves = queue.return_rejected("uid-a", {"TaintToleration"}, at(2));
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].why, "UnscheduledPodUpdatePodToleration may help with TaintToleration");
  EXPECT_EQ(queue.pop()->pod->spec.tolerations.size(), 1U);
}

TEST(SchedulingQueue, lost_nomination_is_a_deleted_pod_to_those_that_counted_it) {
  SchedulingQueue queue;
  park(queue, waiting_pod("lesser", 1), {"NodeResourcesFit"}, at(0));
  park(queue, waiting_pod("greater", 9), {"NodeResourcesFit"}, at(0));
  api::Pod nominated = waiting_pod("nominated", 5);
  nominated.status.nominatedNodeName = "n1";
  queue.add(shared(nominated), at(1));
  api::Pod cleared = nominated;
  cleared.status.nominatedNodeName.clear();
  const QueueMoves moves = queue.update(shared(nominated), shared(cleared), at(9));
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].pod, "shop/lesser");
  EXPECT_EQ(queue.view().unschedulable, Names{"shop/greater"});
}

TEST(SchedulingQueue, default_spread_of_the_profile_is_about_the_services_of_the_pod) {
  SelectorSources selectors;
  HintArguments arguments;
  arguments.default_constraints = {
      {.maxSkew = 1, .topologyKey = "zone", .whenUnsatisfiable = "DoNotSchedule"}};
  SchedulingQueue queue({.profiles = {{"default-scheduler", arguments}}, .selectors = &selectors});
  api::Pod pod = waiting_pod("a");
  pod.metadata.labels["app"] = "web";
  park(queue, pod, {"PodTopologySpread"}, at(0));
  api::Pod other = placed_pod("b");
  other.metadata.labels["app"] = "web";
  EXPECT_TRUE(queue.on_event(assigned_pod_deleted(shared(other)), at(1)).empty());
  selectors.set_service("shop", "web", {{"app", "web"}});
  EXPECT_EQ(queue.on_event(assigned_pod_deleted(shared(other)), at(1)).size(), 1U);
}

TEST(SchedulingQueue, pod_of_an_unknown_profile_only_waits_for_time) {
  SchedulingQueue queue;
  api::Pod pod = waiting_pod("a");
  pod.spec.schedulerName = "other";
  park(queue, pod, {"NodeName"}, at(0));
  EXPECT_TRUE(queue.on_event(node_added(shared(node_named("n1"))), at(1)).empty());
  EXPECT_EQ(queue.flush_unschedulable(at(301)).size(), 1U);
}

}  // namespace
}  // namespace berth::scheduling
