// SPDX-License-Identifier: Apache-2.0

// The output of `berthctl shutdown-plan`.
#include "ctl/shutdown/plan_text.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace berth::ctl {
namespace {

namespace wire = control::v1;

wire::PlanShutdownReply plan() {
  wire::PlanShutdownReply reply;
  reply.set_configured_seconds(30);
  reply.set_needed_seconds(24);
  reply.set_granted_ms(30'000);
  reply.set_delayed(true);
  auto& any = *reply.add_groups();
  any.set_period_seconds(20);
  auto& web = *any.add_pods();
  web.set_namespace_("default");
  web.set_name("web-node1");
  web.set_uid("u1");
  web.set_own_seconds(20);
  web.set_grace_seconds(20);
  web.set_ends_seconds(20);
  auto& critical = *reply.add_groups();
  critical.set_priority(2'000'000'000);
  critical.set_period_seconds(10);
  critical.set_begins_seconds(20);
  return reply;
}

TEST(ShutdownPlanText, says_who_is_stopped_when_and_that_the_time_suffices) {
  EXPECT_TRUE(budget_suffices(plan()));
  EXPECT_EQ(plan_text(plan()),
            "Pods are stopped in order within 30s at most; the present ones need 24s.\n"
            "systemd-logind waits for berthd, for 30s at most.\n"
            "The budget suffices: each pod gets its own period.\n"
            "\n"
            "AFTER   GROUP        NAMESPACE   NAME        PRIORITY   PERIOD   GETS   STOPPED BY\n"
            "0s      0            default     web-node1   0          20s      20s    20s\n"
            "20s     2000000000   -           -           -          -        10s    -\n");
}

TEST(ShutdownPlanText, says_what_is_missing_where_it_does_not_suffice) {
  auto reply = plan();
  auto& web = *reply.mutable_groups(0)->mutable_pods(0);
  web.set_own_seconds(90);
  web.set_cut_short(true);
  web.set_lost(true);
  reply.set_granted_ms(5'000);
  reply.set_complaint("the machine waits for 5s at most");
  EXPECT_FALSE(budget_suffices(reply));
  const std::string text = plan_text(reply);
  EXPECT_NE(text.find("The budget does not suffice: 1 pod gets less than its own period; "
                      "other services may be stopped before 1 pod has stopped; the machine waits "
                      "for 5s at most.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("web-node1   0          1m30s    20s    20s          beside other services\n"),
      std::string::npos)
      << text;
  reply.clear_granted_ms();
  EXPECT_NE(plan_text(reply).find("It is not known how long systemd-logind waits.\n"),
            std::string::npos);
}

TEST(ShutdownPlanText, says_how_pods_that_are_cut_short_get_their_time) {
  auto reply = plan();
  auto& web = *reply.mutable_groups(0)->mutable_pods(0);
  web.set_own_seconds(90);
  web.set_cut_short(true);
  reply.mutable_groups(0)->mutable_pods()->Add()->CopyFrom(web);
  EXPECT_NE(plan_text(reply).find(
                "The budget does not suffice: 2 pods get less than their own periods.\n"
                "Give their group more time (berth-config(5), shutdownGracePeriod), or them a "
                "shorter terminationGracePeriodSeconds.\n"),
            std::string::npos)
      << plan_text(reply);
}

TEST(ShutdownPlanText, says_what_waits_for_a_restart) {
  wire::PlanShutdownReply reply;
  reply.add_pending_restart("shutdownGracePeriod[priority 0]: none -> 20s");
  EXPECT_EQ(
      plan_text(reply),
      "Waits for a restart of berthd: shutdownGracePeriod[priority 0]: none -> 20s.\n"
      "Pods are not stopped before the machine shuts down: shutdownGracePeriod is not set.\n");
}

TEST(ShutdownPlanText, does_not_suffice_if_the_machine_would_not_wait) {
  auto reply = plan();
  reply.set_delayed(false);
  EXPECT_FALSE(budget_suffices(reply));
  const std::string text = plan_text(reply);
  EXPECT_NE(text.find("systemd-logind does not wait for berthd.\n"
                      "The budget does not suffice: systemd-logind does not wait for berthd.\n"),
            std::string::npos)
      << text;
  reply.set_shutting_down(true);
  EXPECT_TRUE(budget_suffices(reply)) << "it may go off";
}

TEST(ShutdownPlanText, says_that_nothing_is_set) {
  EXPECT_FALSE(budget_suffices({}));
  EXPECT_EQ(
      plan_text({}),
      "Pods are not stopped before the machine shuts down: shutdownGracePeriod is not set.\n");
}

TEST(ShutdownPlanText, has_every_value_in_json) {
  EXPECT_EQ(
      boost::json::serialize(plan_json(plan())),
      R"({"apiVersion":"berth.dev/v1alpha1","kind":"ShutdownPlan","suffices":true,)"
      R"("shuttingDown":false,"neededSeconds":24,"configuredSeconds":30,)"
      R"("grantedMilliseconds":30000,"delayed":true,"complaint":"","pendingRestart":[],"groups":[)"
      R"({"priority":0,"shutdownGracePeriodSeconds":20,"beginsAfterSeconds":0,"pods":[)"
      R"({"namespace":"default","name":"web-node1","uid":"u1","priority":0,)"
      R"("terminationGracePeriodSeconds":20,"graceSeconds":20,"stoppedBySeconds":20,)"
      R"("cutShort":false,"mayBeLost":false}]},)"
      R"({"priority":2000000000,"shutdownGracePeriodSeconds":10,"beginsAfterSeconds":20,)"
      R"("pods":[]}]})");
}

}  // namespace
}  // namespace berth::ctl
