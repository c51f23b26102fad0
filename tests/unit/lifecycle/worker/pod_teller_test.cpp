// SPDX-License-Identifier: Apache-2.0

// What a pod's worker publishes, and what it does not repeat.
#include "lifecycle/worker/pod_teller.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "cri/types.hpp"
#include "tests/ledger/kept_ledger.hpp"
#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"
#include "tests/unit/lifecycle/worker/events_and_journal.hpp"

namespace berth::lifecycle {
namespace {

using test::Events;
using test::Journal;
using test::Lines;

class PodTellerTest : public LoopFixture {
 protected:
  void SetUp() override {
    api::Pod made = test::pod({test::container("app")});
    made.spec.initContainers = {test::container("init")};
    pod = std::make_shared<const api::Pod>(std::move(made));
  }
  // The journal's lines without their fields.
  [[nodiscard]] Lines logged() const {
    Lines lines;
    for (const std::string& line : journal.lines)
      lines.push_back(line.substr(0, line.find(" NAMESPACE")));
    return lines;
  }

  PodPtr pod{};
  Events events{};
  Journal journal{};
  ledger_test::KeptLedger ledger{};
  PodTeller teller{{.clock = clock, .events = events, .log = journal, .ledger = &ledger}, pod};
};

TEST_F(PodTellerTest, an_event_names_the_field_that_it_is_about) {
  teller.event(EventLevel::kNormal, "Started", "Started container: app", "app");
  teller.warn_event("Failed", "no", "init");
  teller.warn_event("FailedSync", "no");
  EXPECT_EQ(events.lines,
            (Lines{"web Normal Started: Started container: app [spec.containers{app}]",
                   "web Warning Failed: no [spec.initContainers{init}]",
                   "web Warning FailedSync: no []"}));
  EXPECT_EQ(journal.lines.at(0),
            "1 Started: Started container: app NAMESPACE=default POD=web POD_UID=uid-1 "
            "CONTAINER=app");
  EXPECT_EQ(journal.lines.at(2), "2 FailedSync: no NAMESPACE=default POD=web POD_UID=uid-1");
}

TEST_F(PodTellerTest, a_line_names_the_container_and_the_record_that_says_why) {
  const std::string record = teller.happened("PreStop", "app", "its preStop hook failed");
  EXPECT_EQ(record, record_id(ledger.records.back()));
  teller.warn_event("FailedPreStopHook", "no",
                    About{.container = "app", .container_id = "id-1", .decision = record});
  EXPECT_EQ(journal.lines.back(),
            "2 FailedPreStopHook: no NAMESPACE=default POD=web POD_UID=uid-1 CONTAINER=app "
            "CONTAINER_ID=id-1 DECISION=" +
                record);
}

TEST_F(PodTellerTest, where_a_line_comes_from_goes_along) {
  teller.warn_event("Failed", "no", "app");
  EXPECT_TRUE(journal.last_file.ends_with("pod_teller_test.cpp")) << journal.last_file;
}

TEST_F(PodTellerTest, an_exit_is_recorded_and_logged_and_what_the_runtime_adds_only_of_memory) {
  cri::ContainerStatus status;
  status.id = cri::ContainerId("id-1");
  status.metadata.name = "app";
  status.exit_code = 1;
  status.reason = "Error";
  teller.exited(status, {});
  EXPECT_EQ(journal.lines,
            Lines{"2 ContainerExited: container app ended with exit code 1 NAMESPACE=default "
                  "POD=web POD_UID=uid-1 CONTAINER=app CONTAINER_ID=id-1 DECISION=" +
                  record_id(ledger.records.back()) + " REASON=Error EXIT_CODE=1"});
  status.reason = "Other";
  teller.exited(status, {.reported_before = true});
  EXPECT_EQ(journal.lines.size(), 1U);
  status.reason = "OOMKilled";
  teller.exited(status, {.reported_before = true});
  EXPECT_EQ(journal.lines.size(), 2U);
  EXPECT_EQ(ledger.texts("Exited").size(), 3U);
}

TEST_F(PodTellerTest, every_failure_of_a_probe_is_an_event_and_few_are_lines) {
  const probes::ProbeEvent failed{
      .container = "app",
      .type = probes::ProbeType::kLiveness,
      .outcome = probes::Outcome::kFailure,
      .notice = {.reason = "Unhealthy", .message = "Liveness probe failed: no"}};
  for (int i = 0; i < 5; ++i) teller.probe_failed(failed);
  EXPECT_EQ(events.lines.size(), 5U);
  EXPECT_EQ(journal.lines.size(), 3U);
}

TEST_F(PodTellerTest, it_reports_the_pod_as_it_is_by_then) {
  api::Pod renamed = *pod;
  renamed.metadata.name = "later";
  pod = std::make_shared<const api::Pod>(std::move(renamed));
  teller.warn_event("Failed", "no");
  EXPECT_EQ(events.lines, Lines{"later Warning Failed: no []"});
}

TEST_F(PodTellerTest, every_fact_is_recorded_and_the_last_one_is_known) {
  EXPECT_FALSE(teller.last());
  for (const char* what : {"1", "2", "2"}) teller.happened("PreStop", "app", what);
  EXPECT_EQ(ledger.texts("PreStop"), (Lines{"1", "2", "2"}));
  ASSERT_TRUE(teller.last());
  EXPECT_EQ(teller.last()->reason, (Reason{.subject = "app", .rule = "PreStop", .text = "2"}));
  EXPECT_EQ(teller.last()->at, clock.wall_now());
}

TEST_F(PodTellerTest, a_fact_reported_anew_is_recorded_when_it_says_something_else) {
  for (const char* what : {"1", "1", "2"})
    teller.happened_anew({}, Remark{.action = "Hold", .text = what});
  EXPECT_EQ(ledger.texts("Hold"), (Lines{"1", "2"}));
}

TEST_F(PodTellerTest, a_reason_is_logged_when_the_plan_before_did_not_give_it) {
  const Reason start{.subject = "app", .rule = "NeverStarted", .text = "it has not been started"};
  const Reason sandbox{.subject = "pod", .rule = "NoSandbox", .text = "there is none"};
  teller.log_plan({start});
  teller.log_plan({start, sandbox});
  EXPECT_EQ(logged(),
            (Lines{"1 NeverStarted: it has not been started", "1 NoSandbox: there is none"}));
  teller.log_stops({start});  // stops have reasons of their own
  EXPECT_EQ(logged().size(), 3U);
  teller.log_plan({});
  teller.log_plan({start}, "plan-1");
  ASSERT_EQ(journal.lines.size(), 4U);
  EXPECT_TRUE(journal.lines[3].ends_with(" CONTAINER=app DECISION=plan-1")) << journal.lines[3];
  EXPECT_TRUE(journal.lines[1].ends_with(" POD_UID=uid-1")) << "a pod is no container";
}

TEST_F(PodTellerTest, an_obstacle_is_reported_once_until_it_is_gone_or_has_another_reason) {
  const auto hinder = [this](const char* error) {
    teller.hindered({.kind = ObstacleKind::kCleanup, .error = error});
  };
  hinder("busy");
  hinder("busy");
  EXPECT_EQ(ledger.texts("Hindered").size(), 1U);
  ASSERT_EQ(teller.obstacles().size(), 1U);
  EXPECT_EQ(teller.obstacles().front().since, clock.wall_now());
  hinder("read-only");
  EXPECT_EQ(ledger.texts("Hindered").size(), 2U);
  teller.unhindered(ObstacleKind::kCleanup, {});
  EXPECT_TRUE(teller.obstacles().empty());
  hinder("read-only");
  EXPECT_EQ(ledger.texts("Hindered").size(), 3U);
}

}  // namespace
}  // namespace berth::lifecycle
