// SPDX-License-Identifier: Apache-2.0

// The shutdown of the node: which pods are stopped in which order, which are refused, and which are
// started again.
#include "agent/shutdown/node_shutdown.hpp"

#include "tests/unit/agent/shutdown/node_shutdown_fixture.hpp"

namespace berth::agent {
namespace {

TEST_F(NodeShutdownTest, delays_the_machines_end_until_the_pods_have_stopped) {
  EXPECT_TRUE(login.state().delayed());
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  announce();
  clock.advance(3900ms);
  EXPECT_TRUE(login.state().delayed());
  clock.advance(1s);
  EXPECT_FALSE(login.state().delayed());
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(shows("web"), "Failed Terminated");
  EXPECT_EQ(message("web"), "Pod was terminated in response to imminent node shutdown.");
  EXPECT_EQ(shows("dns"), "Failed Terminated");
  EXPECT_EQ(kept.texts("NodeShutdown"),
            (std::vector<std::string>{
                "the machine is about to shut down: the pod has 20 s to stop; its group, "
                "priority 0 and higher, has 20 s",
                "the machine is about to shut down: the pod has 10 s to stop; its group, "
                "priority 2000000000 and higher, has 10 s"}));
}

TEST_F(NodeShutdownTest, says_when_it_began_and_ended) {
  desire({slow("web", 0)});
  clock.advance(1s);
  const WallTime first = clock.wall_now();
  announce();
  EXPECT_EQ(journal.times(), begun(first));
  clock.advance(5s);
  const ShutdownTimes done = journal.times();
  ASSERT_TRUE(done.end);
  EXPECT_GE(*done.end, first + 2s);
  EXPECT_LT(*done.end, first + 3s);
  announce(false);
  EXPECT_EQ(journal.times(), done);
  clock.advance(5s);
  const WallTime second = clock.wall_now();
  announce();
  journal.restore_times({.start = first});
  EXPECT_EQ(journal.times(), begun(second)) << "what is read late is older";
  clock.advance(1s);
  announce(false);
  EXPECT_EQ(journal.times().end, second + 1s) << "no further pod is stopped";
  ASSERT_EQ(kept_times.size(), 4U);
  EXPECT_EQ(kept_times.back(), journal.times());
}

TEST_F(NodeShutdownTest, lets_the_machine_go_at_once_if_there_is_no_pod) {
  announce();
  EXPECT_FALSE(login.state().delayed());
}

TEST_F(NodeShutdownTest, stops_a_group_once_the_one_before_it_has_stopped) {
  desire({slow("web", 0), slow("db", 7), slow("dns", kCritical)});
  clock.advance(1s);
  announce();
  clock.advance(1s);
  EXPECT_TRUE(asked_to_stop("web"));
  EXPECT_TRUE(asked_to_stop("db")) << "pods of a group stop together";
  EXPECT_FALSE(asked_to_stop("dns"));
  clock.advance(1500ms);
  EXPECT_TRUE(asked_to_stop("dns"));
}

TEST_F(NodeShutdownTest, leaves_a_group_behind_whose_period_is_over) {
  desire({named("deaf", 0, {"sim", "term=ignore"}), slow("dns", kCritical)});
  runtime.refuse_stop(runtime.instances().front().id, true);
  clock.advance(1s);
  announce();
  clock.advance(19s);
  EXPECT_FALSE(asked_to_stop("dns"));
  clock.advance(2s);
  EXPECT_TRUE(asked_to_stop("dns"));
  clock.advance(3s);
  EXPECT_FALSE(login.state().delayed());
  ASSERT_FALSE(node_log.warnings.empty());
  EXPECT_EQ(node_log.warnings.front(),
            "ShutdownPeriodOver: not stopped within 20 s: default/deaf; the shutdown goes on");
}

TEST_F(NodeShutdownTest, reports_a_pod_once_that_is_not_stopped_in_time) {
  auto deaf = named("deaf", 0, {"sim", "term=ignore"});
  deaf->spec.terminationGracePeriodSeconds = 8;
  desire({deaf});
  clock.advance(1s);
  runtime.hang();
  announce();
  const auto late = [this] {
    return std::ranges::count(node_events(),
                              "ExceededGracePeriod: Container runtime did not kill the pod within "
                              "specified grace period.");
  };
  clock.advance(11s);
  EXPECT_EQ(late(), 0);
  clock.advance(2s);
  EXPECT_EQ(late(), 1) << "one and a half times its grace period";
  clock.advance(1min);
  EXPECT_EQ(late(), 1);
  runtime.wake_up();
  clock.advance(1min);
}

TEST_F(NodeShutdownTest, waits_for_a_groups_volumes_and_cgroups_to_be_gone) {
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  host.set_fails(1000);
  announce();
  clock.advance(5s);
  EXPECT_EQ(shows("web"), "Failed Terminated");
  EXPECT_NE(host.left_of("web"), "");
  EXPECT_FALSE(asked_to_stop("dns"));
  host.set_fails(0);
  clock.advance(12s);
  EXPECT_FALSE(host.has_cgroup("web"));
  EXPECT_TRUE(asked_to_stop("dns")) << "before the period of the first is over";
  clock.advance(5s);
  EXPECT_FALSE(login.state().delayed());
  EXPECT_TRUE(node_log.warnings.empty() ||
              !node_log.warnings.back().starts_with("ShutdownPeriodOver"));
}

TEST_F(NodeShutdownTest, leaves_a_group_behind_whose_volumes_stay) {
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  host.set_fails(1000);
  announce();
  clock.advance(19s);
  EXPECT_FALSE(asked_to_stop("dns"));
  node_log.warnings.clear();
  clock.advance(2s);
  EXPECT_TRUE(asked_to_stop("dns"));
  EXPECT_NE(std::ranges::find(node_log.warnings,
                              "ShutdownPeriodOver: volumes and cgroup not removed within 20 s: "
                              "default/web; the shutdown goes on"),
            node_log.warnings.end());
}

TEST_F(NodeShutdownTest, gives_a_pod_the_smaller_of_its_own_period_and_its_groups) {
  auto patient = named("patient", 0, {"sim", "term=ignore"});
  auto hasty = named("hasty", 0, {"sim", "term=ignore"});
  patient->spec.terminationGracePeriodSeconds = 300;
  hasty->spec.terminationGracePeriodSeconds = 4;
  desire({patient, hasty});
  clock.advance(1s);
  announce();
  clock.advance(3900ms);
  EXPECT_EQ(live(), 2);
  clock.advance(200ms);
  EXPECT_EQ(live(), 1);
  clock.advance(15700ms);
  EXPECT_EQ(live(), 1);
  clock.advance(300ms);
  EXPECT_EQ(live(), 0);
}

TEST_F(NodeShutdownTest, refuses_new_pods_and_is_not_ready_meanwhile) {
  desire({slow("web", 0)});
  clock.advance(1s);
  announce();
  EXPECT_TRUE(not_ready);
  EXPECT_EQ(node_events(),
            std::vector<std::string>{"Shutdown: Shutdown manager detected shutdown event"});
  desire({slow("web", 0), slow("late", 0)});
  clock.advance(1s);
  EXPECT_EQ(shows("late"), "Failed NodeShutdown");
  EXPECT_EQ(message("late"), "Pod was rejected: Pod was rejected as the node is shutting down.");
  clock.advance(10min);
  EXPECT_EQ(runtime.instances().size(), 1U) << "nothing is started";
}

TEST_F(NodeShutdownTest, that_is_called_off_stops_no_further_group_and_brings_the_others_back) {
  const auto web = slow("web", 0);
  const auto dns = slow("dns", kCritical);
  desire({web, dns});
  clock.advance(1s);
  announce();
  desire({web, dns, slow("late", 0)});
  clock.advance(1s);
  announce(false);
  EXPECT_FALSE(not_ready);
  EXPECT_TRUE(login.state().delayed());
  EXPECT_EQ(node_events().back(), "Shutdown: Shutdown manager detected shutdown cancellation");
  clock.advance(1min);
  EXPECT_FALSE(asked_to_stop("dns"));
  EXPECT_EQ(uid("dns"), "dns");
  EXPECT_EQ(shows("dns"), "Running");
  EXPECT_EQ(uid("web"), "web-next");
  EXPECT_EQ(shows("web"), "Running");
  EXPECT_EQ(uid("late"), "late-next");
  EXPECT_EQ(shows("late"), "Running");
}

TEST_F(NodeShutdownTest, that_is_called_off_and_announced_again_begins_anew) {
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  announce();
  clock.advance(1s);
  announce(false);
  announce();
  clock.advance(10s);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(shows("dns"), "Failed Terminated");
  EXPECT_FALSE(login.state().delayed());
}

TEST_F(NodeShutdownTest, lets_go_again_what_was_called_off_after_all_had_stopped) {
  desire({slow("web", 0)});
  clock.advance(1s);
  announce();
  clock.advance(5s);
  ASSERT_FALSE(login.state().delayed());
  announce(false);
  clock.advance(5s);
  EXPECT_TRUE(login.state().delayed());
  EXPECT_EQ(shows("web"), "Running");
  announce();
  clock.advance(5s);
  EXPECT_EQ(shows("web"), "Failed Terminated");
  EXPECT_FALSE(login.state().delayed());
}

TEST_F(NodeShutdownTest, brings_back_after_the_boot_what_it_had_stopped) {
  const auto web = slow("web", 0);
  const auto batch = slow("batch", 0, "Never");
  const auto polite = named("polite", 0, {"sim", "term=100", "code=0"});
  desire({web, batch, polite});
  clock.advance(1s);
  announce();
  clock.advance(5s);
  EXPECT_EQ(shows("polite"), "Succeeded");
  begin_again(true, {web, batch, polite});
  clock.advance(1min);
  EXPECT_EQ(uid("web"), "web-next");
  EXPECT_EQ(shows("web"), "Running");
  EXPECT_EQ(uid("polite"), "polite-next");
  EXPECT_EQ(shows("polite"), "Running");
  EXPECT_EQ(uid("batch"), "batch");
  EXPECT_EQ(shows("batch"), "Failed Terminated") << "never to be restarted";
  const auto removed = kept.texts("Removed");
  ASSERT_EQ(removed.size(), 2U);
  for (const std::string& text : removed)
    EXPECT_TRUE(text.starts_with(
        "the pod is removed: what kept it from running is over, so a new incarnation replaces "
        "it; "))
        << text;
}

TEST_F(NodeShutdownTest, brings_back_what_the_machine_did_not_wait_for) {
  const auto deaf = named("deaf", 0, {"sim", "term=ignore"});
  desire({deaf});
  clock.advance(1s);
  announce();
  clock.advance(2s);
  begin_again(true, {deaf});
  clock.advance(1min);
  EXPECT_EQ(uid("deaf"), "deaf-next");
  EXPECT_EQ(shows("deaf"), "Running");
}

TEST_F(NodeShutdownTest, goes_on_with_the_next_berthd_while_the_machine_still_goes_off) {
  const auto web = slow("web", 0);
  const auto dns = slow("dns", kCritical);
  desire({web, dns});
  clock.advance(1s);
  announce();
  clock.advance(500ms);
  begin_again(false, {web, dns});
  EXPECT_TRUE(not_ready);
  desire({web, dns, slow("late", 0)});
  clock.advance(10s);
  EXPECT_EQ(shows("web"), "Failed Terminated");
  EXPECT_EQ(shows("dns"), "Failed Terminated");
  EXPECT_EQ(shows("late"), "Failed NodeShutdown");
  EXPECT_EQ(live(), 0);
}

TEST_F(NodeShutdownTest, is_not_asked_for_without_a_period_and_still_brings_pods_back) {
  const auto web = slow("web", 0);
  desire({web});
  clock.advance(1s);
  announce();
  clock.advance(5s);
  groups.clear();
  begin_again(true, {web});
  clock.advance(5s);
  EXPECT_EQ(shows("web"), "Running");
  EXPECT_FALSE(login.state().delayed());
  announce();
  clock.advance(1min);
  EXPECT_EQ(shows("web"), "Running");
}

TEST_F(NodeShutdownTest, complains_once_of_a_machine_that_does_not_wait_long_enough) {
  login.answers(5s);
  drain();
  login.answers(5s);
  drain();
  ASSERT_EQ(node_log.warnings.size(), 1U);
  EXPECT_TRUE(
      node_log.warnings.front().starts_with("ShutdownDelay: pods are to be stopped within 30s"));
  login.falls_silent("the bus is gone");
  drain();
  EXPECT_EQ(node_log.warnings.size(), 2U);
}

TEST_F(NodeShutdownTest, complains_of_a_lock_that_is_refused_until_it_is_granted) {
  end_shutdown();
  login.refuses("too many inhibitors");
  begin_shutdown();
  ASSERT_EQ(node_log.warnings.size(), 1U);
  EXPECT_TRUE(node_log.warnings.front().starts_with(
      "ShutdownDelay: pods are to be stopped in order before the machine shuts down "
      "(shutdownGracePeriod), but it would not wait for them (too many inhibitors), and they "
      "would be stopped only when berthd is, beside other services: "))
      << node_log.warnings.front();
  EXPECT_EQ("ShutdownDelay: " + shutdown->complaint().sentence(), node_log.warnings.front());
  login.refuses("");
  drain();
  EXPECT_TRUE(shutdown->complaint().empty());
  EXPECT_TRUE(login.state().delayed());
  EXPECT_EQ(node_log.warnings.size(), 1U);
}

TEST_F(NodeShutdownTest, keeps_its_word_when_the_bus_goes_meanwhile) {
  desire({slow("web", 0)});
  clock.advance(1s);
  announce();
  login.falls_silent("the bus is gone");
  clock.advance(10s);
  EXPECT_EQ(shows("web"), "Failed Terminated");
  EXPECT_TRUE(not_ready);
}

}  // namespace
}  // namespace berth::agent
