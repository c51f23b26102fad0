// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/pod_ledger.hpp"

#include <gtest/gtest.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/pre_stop_step.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/termination_order.hpp"
#include "tests/ledger/plan_parts.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

struct Book {
  ledger_test::RetakingLedger ledger{};
  PodLedger book{&ledger};
  ledger_test::PlanParts values{};

  void plan_at(double second, RuntimePod shown) {
    values.runtime = std::move(shown);
    values.now = at(second);
    const PlanInput input = values.input();
    book.decided(input, plan(input), input.now);
  }
};

TEST(PodLedger, writes_each_new_decision_once) {
  Book pod_of;
  pod_of.values.pod = pod({container("app")});
  pod_of.values.actuated = actuated_as_specified(pod_of.values.pod);
  pod_of.plan_at(0, runtime({}));
  pod_of.plan_at(1, runtime({}));  // the image is being pulled: the same decision again
  EXPECT_EQ(pod_of.ledger.records().size(), 1U);
  pod_of.plan_at(2, runtime({running("app")}));  // there is nothing to do
  EXPECT_EQ(pod_of.ledger.records().size(), 1U);
  pod_of.plan_at(3, runtime({exited("app", 1, at(3))}));
  EXPECT_EQ(pod_of.ledger.records().size(), 2U);
  pod_of.plan_at(4, runtime({running("app")}));
  pod_of.plan_at(5, runtime({exited("app", 1, at(3))}));  // as the decision before the last
  EXPECT_EQ(pod_of.ledger.records().size(), 3U);
  EXPECT_TRUE(pod_of.ledger.problems().empty());
  EXPECT_EQ(pod_of.ledger.decisions(), 3U);
}

TEST(PodLedger, writes_stops_admissions_and_facts) {
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const api::Pod of = pod({container("app")});
  const SteadyTime now{std::chrono::seconds(1)};
  const std::vector<StoppingContainer> containers = {
      {.name = "app", .grace_seconds = 30, .begun_at = now, .hook_done_at = now}};
  const StopsQuestion stops{.pod = of, .containers = containers, .now = now};
  book.decided(stops, next_stops(of, containers, now), at(1));
  book.decided(stops, next_stops(of, containers, now), at(1));
  EXPECT_EQ(ledger.records().size(), 1U);
  const AdmissionQuestion admission{.pod = of};
  book.decided(admission, decide_admission(admission), at(2));
  book.happened(of, at(3), "app", ContainerExited{});
  ASSERT_EQ(ledger.records().size(), 3U);
  EXPECT_EQ(ledger.records()[2].reasons[0].subject, "app");
  EXPECT_EQ(ledger.decisions(), 2U);
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(PodLedger, writes_phases_and_each_new_grace_period) {
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const api::Pod of = pod({container("app")});
  const PhaseQuestion phase{.pod = of, .previous = "Running", .finalised = true};
  book.decided(phase, decide_phase(phase), at(1));
  GraceQuestion order{.pod = of, .requested_at = at(2)};
  book.decided(order, decide_grace(order), at(2));
  order.previous = 30;
  order.override_seconds = 60;
  book.decided(order, decide_grace(order), at(3));  // no longer than before
  order.override_seconds = 5;
  book.decided(order, decide_grace(order), at(4));
  EXPECT_EQ(ledger.decisions(), 3U);
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(PodLedger, writes_how_each_image_is_come_by_once) {
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const api::Pod of = pod({container("app")});
  ImageQuestion image{
      .pod = of, .container = "app", .image = "app:1", .policy = "IfNotPresent", .present = false};
  const auto decide = [&] { book.decided(image, decide_image(image), at(1)); };
  decide();
  decide();
  EXPECT_EQ(ledger.decisions(), 1U);
  image.present = true;
  decide();
  image.container = "other";
  decide();
  image.image = "app:2";
  decide();
  EXPECT_EQ(ledger.decisions(), 4U);
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(PodLedger, writes_each_step_of_a_hook_that_there_is_once_for_each_stop) {
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const api::Pod of = pod({container("app")});
  PreStopQuestion hook{.pod = of,
                       .container = "app",
                       .situation = {.container_runs = true},
                       .now = SteadyTime{std::chrono::seconds(9)}};
  const auto decide = [&] { book.decided(hook, pre_stop_step(hook.situation, hook.now), at(9)); };
  decide();
  EXPECT_EQ(ledger.decisions(), 0U);
  hook.situation.has_hook = true;
  decide();
  decide();
  EXPECT_EQ(ledger.decisions(), 1U);
  hook.situation.known = PreStop{};
  decide();
  EXPECT_EQ(ledger.decisions(), 1U);
  hook.situation.known.reset();
  hook.situation.stop_began = SteadyTime{std::chrono::seconds(5)};
  decide();
  EXPECT_EQ(ledger.decisions(), 2U);
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(PodLedger, writes_a_quiet_plan_only_after_a_wait) {
  const api::Pod of = pod({container("app")});
  const PlanInput input{.pod = of};
  const Plan wait{.refusals = {{.container = "app", .reason = "CrashLoopBackOff"}}};
  Plan start;
  start.actions.containers_to_start = {0};
  const Plan quiet;
  using Plans = std::vector<Plan>;
  const std::vector<std::pair<Plans, std::size_t>> rows = {
      {{wait}, 1},         {{wait, wait}, 1},  {{wait, start}, 2},         {{quiet}, 0},
      {{start, quiet}, 1}, {{wait, quiet}, 2}, {{start, quiet, start}, 2}, {{quiet, start}, 1}};
  for (const auto& [plans, written] : rows) {
    ledger_test::RetakingLedger ledger;
    PodLedger book(&ledger);
    for (const Plan& plan : plans) book.decided(input, plan, at(0));
    EXPECT_EQ(ledger.records().size(), written) << plans.size();
  }
}

TEST(PodLedger, writes_a_stop_that_is_new) {
  const api::Pod of = pod({container("app")});
  const StopsQuestion question{.pod = of};
  const TerminationStep none{};
  const TerminationStep stop{.stop_now = {{.name = "app", .timeout_seconds = 30}}};
  const TerminationStep wait{.look_again_at = SteadyTime{std::chrono::seconds(9)}};
  using Steps = std::vector<TerminationStep>;
  const std::vector<std::pair<Steps, std::size_t>> rows = {{{none}, 0},       {{stop, none}, 1},
                                                           {{stop}, 1},       {{stop, stop}, 1},
                                                           {{stop, wait}, 2}, {{wait, wait}, 1}};
  for (const auto& [steps, written] : rows) {
    ledger_test::RetakingLedger ledger;
    PodLedger book(&ledger);
    for (const TerminationStep& step : steps) book.decided(question, step, at(0));
    EXPECT_EQ(ledger.records().size(), written);
  }
}

TEST(RecordPlace, is_what_an_id_was_made_of) {
  for (const char* kind : {"image", "single-stop"}) {
    for (const char* uid : {"u", "0b5c1a3e-7c1f-4f6c-9a57-2f0d7a1f4c11", "1764200000-7-x"}) {
      SCOPED_TRACE(std::string(kind) + " of " + uid);
      const LedgerRecord record{.at = at(1.5), .uid = uid, .kind = kind};
      EXPECT_EQ(record_place(record_id(record)), (RecordPlace{.at = at(1.5), .uid = uid}));
    }
  }
}

TEST(RecordPlace, is_none_of_what_is_no_id) {
  for (const char* id : {"", "image", "image-", "image-5", "image-5-", "image--u", "-", "image-x-u",
                         "image-99999999999999999999-u", "5-u"})
    EXPECT_EQ(record_place(id), std::nullopt) << id;
}

TEST(PodLedger, says_by_which_record_a_decision_is_known) {
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const api::Pod of = pod({container("app")});
  ImageQuestion image{
      .pod = of, .container = "app", .image = "app:1", .policy = "IfNotPresent", .present = false};
  const std::string first = book.decided(image, decide_image(image), at(1));
  EXPECT_EQ(first, record_id(ledger.records().back()));
  EXPECT_EQ(first,
            "image-" + std::to_string(at(1).time_since_epoch().count()) + "-" + of.metadata.uid);
  EXPECT_EQ(book.decided(image, decide_image(image), at(2)), first) << "it is no news";
  image.present = true;
  EXPECT_NE(book.decided(image, decide_image(image), at(3)), first);
  const std::string fact = book.happened(of, at(4), "app", ContainerExited{});
  EXPECT_EQ(fact, record_id(ledger.records().back()));
  const Remark hold{.action = "Hold", .text = "no"};
  const std::string held = book.happened_anew(of, at(5), {}, hold);
  EXPECT_EQ(book.happened_anew(of, at(6), {}, hold), held);
  const PlanInput plan{.pod = of};
  EXPECT_EQ(book.decided(plan, Plan{}, at(7)), "") << "nothing was to be done, so there is none";
}

TEST(PodLedger, without_a_ledger_nothing_happens) {
  PodLedger book(nullptr);
  EXPECT_EQ(book.happened(pod({container("app")}), at(0), "app", ContainerExited{}), "");
}

}  // namespace
}  // namespace berth::lifecycle::test
