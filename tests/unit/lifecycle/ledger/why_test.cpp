// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/why.hpp"

#include <gtest/gtest.h>

#include "lifecycle/deletion_period.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/pre_stop_step.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/termination_order.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

// at(0) is 22:13:20 UTC.
using Lines = std::vector<std::string>;

// A pod whose decisions are taken and recorded as its worker would do it.
struct Recorded {
  api::Pod spec{};
  RuntimePod shown{};
  RestartBackoff restarts{};
  ImagePullBackoff pulls{};
  std::vector<LedgerRecord> records{};
  std::optional<api::Time> start_time{};

  void plan_at(double second) {
    const ProbeResults probes;
    const ActuatedResources actuated = actuated_as_specified(spec);
    const std::set<std::string> present;
    const PlanInput input{.pod = spec,
                          .runtime = shown,
                          .probes = probes,
                          .actuated = actuated,
                          .restarts = restarts,
                          .pulls = pulls,
                          .present_images = present,
                          .start_time = start_time,
                          .now = at(second)};
    records.push_back(decision_record(input, plan(input), at(second)));
  }

  void fact_at(double second, std::string container, const Fact& fact) {
    records.push_back(fact_record(spec, at(second), std::move(container), fact));
  }

  void starts_at(double second, const api::Container& of) {
    restarts = record_start(std::move(restarts), {}, restart_identity(spec, of),
                            last_exit(shown, of.name), at(second));
  }

  [[nodiscard]] Why story_at(double second) const {
    return why({.records = records, .pod = &spec, .now = at(second)});
  }
};

Lines texts(const Why& story) {
  Lines out;
  for (const WhyLine& line : story.happened) out.push_back(line.text);
  return out;
}

RuntimeContainer ended(std::string name, std::int32_t code, double started, double finished,
                       std::int32_t restarts = 0) {
  RuntimeContainer out = exited(std::move(name), code, at(finished));
  out.started_at = at(started).time_since_epoch().count();
  out.restart_count = restarts;
  return out;
}

api::ContainerStatus status_of(std::string name) {
  api::ContainerStatus status;
  status.name = std::move(name);
  return status;
}

Recorded crash_loop() {
  Recorded pod_of{.spec = pod({container("app")})};
  pod_of.plan_at(-1);
  pod_of.shown = runtime({});
  pod_of.plan_at(0);
  pod_of.shown = runtime({ended("app", 1, 0, 2)});
  pod_of.fact_at(2, "app", ContainerExited{1, "Error"});
  pod_of.plan_at(2.1);
  pod_of.starts_at(2.1, pod_of.spec.spec.containers[0]);
  pod_of.shown = runtime({ended("app", 1, 3, 5, 1)});
  pod_of.fact_at(5, "app", ContainerExited{1, "Error"});
  pod_of.plan_at(5.1);
  return pod_of;
}

TEST(Why, a_crash_loop_is_explained_with_its_next_start) {
  Recorded looping = crash_loop();
  auto& status = looping.spec.status;
  status.phase = "Running";
  status.containerStatuses = {status_of("app")};
  status.containerStatuses[0].restartCount = 1;
  status.containerStatuses[0].state.waiting =
      api::ContainerStateWaiting{.reason = "CrashLoopBackOff"};
  status.containerStatuses[0].lastState.terminated = api::ContainerStateTerminated{.exitCode = 1};
  const Why story = looping.story_at(8);
  EXPECT_EQ(story.present,
            "The pod is Running, but not ready: app waits (CrashLoopBackOff), after it ended with "
            "exit code 1 (1 restart).");
  EXPECT_EQ(texts(story),
            (Lines{"the pod begins: berthd creates its sandbox", "container app is started",
                   "container app is started again (restart 1): it ended with exit code 1 at "
                   "22:13:22, after 2 s; restartPolicy Always",
                   "container app ended with exit code 1 at 22:13:25, after 2 s; next start "
                   "22:13:35 (backoff 10 s; starts over after 10 min up)"}));
  EXPECT_EQ(story.coming, (Lines{"Next start of container app: 22:13:35, in 7 s (backoff 10 s; "
                                 "starts over after 10 min up)."}));
}

TEST(Why, a_first_start_that_waited_for_its_turn_is_stated_once) {
  Recorded begun{.spec = pod({container("app"), container("other")}), .shown = runtime({})};
  begun.plan_at(0);
  begun.shown = runtime({running("app")});
  begun.fact_at(1, "app", Remark{"Started", "it runs"});
  begun.plan_at(1);
  const Why story = begun.story_at(3);
  EXPECT_EQ(texts(story), (Lines{"container app is started", "container other is started"}));
  EXPECT_EQ(story.happened[1].at, at(1));
}

TEST(Why, a_containers_own_policy_and_its_rules_are_named_where_they_decide) {
  api::Container own = container("app");
  own.restartPolicy = "Never";
  own.restartPolicyRules = {
      {.action = "Restart",
       .exitCodes = api::ContainerRestartRuleOnExitCodes{.operator_ = "In", .values = {42}}}};
  Recorded ruled{.spec = pod({own, container("other")}, "Never")};
  ruled.shown = runtime({ended("app", 42, 0, 2), running("other")});
  ruled.plan_at(2.1);
  EXPECT_EQ(texts(ruled.story_at(3)),
            (Lines{"container app is started again (restart 1): it ended with exit code 42 at "
                   "22:13:22, after 2 s; its own restartPolicyRules[0] says Restart"}));
  ruled.spec.spec.containers[0].restartPolicy = "OnFailure";
  ruled.shown = runtime({ended("app", 1, 0, 2), running("other")});
  ruled.records.clear();
  ruled.plan_at(2.1);
  EXPECT_EQ(texts(ruled.story_at(3)),
            (Lines{"container app is started again (restart 1): it ended with exit code 1 at "
                   "22:13:22, after 2 s; its own restartPolicy OnFailure"}));
}

TEST(Why, what_repeats_is_folded_into_its_last_time) {
  Recorded looping = crash_loop();
  for (int round = 2; round < 5; ++round) {
    const double begin = round * 400;
    looping.plan_at(begin);
    looping.starts_at(begin, looping.spec.spec.containers[0]);
    looping.shown = runtime({ended("app", 1, begin, begin + 2, round)});
    looping.plan_at(begin + 2);
  }
  const Why story = looping.story_at(2000);
  EXPECT_EQ(texts(story),
            (Lines{"the pod begins: berthd creates its sandbox", "container app is started",
                   "container app is started again (restart 4): it ended with exit code 1 at "
                   "22:33:22, after 2 s; restartPolicy Always; its backoff of 40 s is over (4 "
                   "times since 22:13:22)",
                   "container app ended with exit code 1 at 22:40:02, after 2 s; next start "
                   "22:41:22 (backoff 1 min 20 s; starts over after 10 min up) (4 times since "
                   "22:13:25)"}));
  ASSERT_EQ(story.happened.size(), 4U);
  EXPECT_EQ(story.happened[3].times, 4U);
  EXPECT_EQ(story.happened[3].at, at(1602));
}

TEST(Why, a_running_container_knows_what_another_exit_costs) {
  Recorded looping = crash_loop();
  looping.plan_at(15);
  looping.spec.status.phase = "Running";
  looping.spec.status.containerStatuses = {status_of("app")};
  looping.spec.status.containerStatuses[0].state.running =
      api::ContainerStateRunning{.startedAt = api::Time{at(15)}};
  looping.spec.status.conditions = {{.type = "Ready", .status = "True"}};
  const Why story = looping.story_at(20);
  EXPECT_EQ(story.present, "The pod is Running and ready: app runs since 22:13:35.");
  EXPECT_EQ(story.coming, (Lines{"If container app ends before 22:23:35, its next start waits 20 s "
                                 "from then; later it is started at once."}));
  EXPECT_EQ(looping.story_at(700).coming,
            Lines{"Nothing is due; berthd acts as soon as something happens."});
}

TEST(Why, init_containers_and_sidecars_are_called_so) {
  Recorded begun{.spec = pod({container("app")}), .shown = runtime({})};
  begun.spec.spec.initContainers = {container("setup"), sidecar("proxy")};
  begun.plan_at(0);
  begun.shown = runtime({exited("setup", 0, at(1))});
  begun.plan_at(1);
  begun.shown = runtime({running("proxy"), exited("setup", 0, at(1))});
  begun.plan_at(2);
  EXPECT_EQ(texts(begun.story_at(3)),
            (Lines{"init container setup is started, the first of the init containers",
                   "sidecar proxy is started: the init container setup completed",
                   "container app is started"}));
}

TEST(Why, a_failed_init_container_ends_a_pod_that_never_restarts) {
  Recorded failed{.spec = pod({container("app")}, "Never"),
                  .shown = runtime({exited("setup", 3, at(1))})};
  failed.spec.spec.initContainers = {container("setup")};
  failed.plan_at(1);
  failed.spec.status.phase = "Failed";
  const Why story = failed.story_at(5);
  EXPECT_EQ(texts(story),
            Lines{"the pod has failed: init container setup ended with exit code 3 at "
                  "22:13:21, and restartPolicy Never forbids another try"});
  EXPECT_EQ(story.coming, Lines{"Nothing: the pod stays Failed. A change of its manifest, or "
                                "`berthctl delete pod web`, starts a new incarnation."});
}

TEST(Why, a_pod_that_is_over_says_how_its_containers_ended) {
  Recorded done{.spec = pod({container("app")}, "OnFailure"),
                .shown = runtime({ended("app", 0, 0, 61)})};
  done.fact_at(61, "app", ContainerExited{0, "Completed"});
  done.plan_at(61);
  EXPECT_EQ(texts(done.story_at(70)),
            (Lines{"container app ended with exit code 0",
                   "the pod has finished: container app ended with exit code 0 at 22:14:21, "
                   "after 1 min 1 s; restartPolicy OnFailure starts no container again"}));
}

TEST(Why, out_of_memory_is_said_in_words) {
  Recorded killed{.spec = pod({container("app")}), .shown = runtime({ended("app", 137, 0, 9)})};
  killed.shown.containers[0].reason = "OOMKilled";
  killed.plan_at(9);
  EXPECT_EQ(texts(killed.story_at(9)),
            Lines{"container app is started again (restart 1): it was killed for using more memory "
                  "than it may (OOMKilled, exit code 137) at 22:13:29, after 9 s; restartPolicy "
                  "Always"});
}

TEST(Why, an_image_that_cannot_be_pulled_says_when_it_is_tried_again) {
  Recorded pulling{.spec = pod({container("app")}), .shown = runtime({})};
  pulling.pulls = record_pull_failure({}, {}, "uid-1", "app:1", "ErrImagePull", "not found", at(0));
  pulling.fact_at(0, "app", PullFailed{"ErrImagePull", "not found"});
  pulling.plan_at(1);
  pulling.spec.status.phase = "Pending";
  const Why story = pulling.story_at(4);
  EXPECT_EQ(texts(story),
            (Lines{"the image of container app could not be pulled: ErrImagePull: not found",
                   "container app waits, because its image app:1 could not be pulled "
                   "(ErrImagePull); next pull 22:13:30 (backoff 10 s)"}));
  EXPECT_EQ(story.coming,
            Lines{"Next pull of the image of container app: 22:13:30, in 6 s (backoff 10 s)."});
}

TEST(Why, what_a_decision_states_is_not_stated_again_by_the_facts_around_it) {
  Recorded once{.spec = pod({container("app")}), .shown = runtime({})};
  once.plan_at(0);
  once.fact_at(0.5, "app", Remark{"Started", "it runs"});
  once.shown = runtime({ended("app", 143, 0, 7)});
  once.plan_at(7);
  once.fact_at(7.1, "app", Remark{"Started", "it runs"});
  once.fact_at(7.2, "app", ContainerExited{143, "Error"});
  EXPECT_EQ(texts(once.story_at(8)),
            (Lines{"container app is started",
                   "container app is started again (restart 1): it ended with exit code 143 "
                   "(signal TERM) at 22:13:27, after 7 s; restartPolicy Always"}));
}

TEST(Why, a_fact_that_no_decision_states_is_stated) {
  Recorded slow{.spec = pod({container("app")}), .shown = runtime({})};
  slow.plan_at(0);
  slow.fact_at(40, "app", Remark{"Started", "it runs"});  // after its image was pulled
  slow.fact_at(50, "app", ContainerExited{137, "Error"});
  slow.fact_at(60, "app", ContainerExited{1, "StartError"});
  slow.fact_at(70, "app", Remark{"Dreamt", "of sheep"});
  EXPECT_EQ(texts(slow.story_at(80)), (Lines{"container app is started", "container app runs",
                                             "container app ended with exit code 137 (signal KILL)",
                                             "container app ended with exit code 1 (StartError)",
                                             "container app: of sheep"}));
}

TEST(Why, a_killed_container_is_named_with_its_grace_period) {
  Recorded edited{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  edited.shown.containers[0].spec_changed = true;
  edited.plan_at(0);
  edited.fact_at(0.1, "app", StopSent{"Container app definition changed, will be restarted", 30});
  EXPECT_EQ(texts(edited.story_at(1)),
            Lines{"container app is stopped: its definition changed; then it is started again "
                  "(30 s to exit)"});
}

TEST(Why, an_ending_pod_says_who_waits_for_whom_and_until_when) {
  Recorded ending{.spec = pod({container("app")})};
  ending.spec.spec.initContainers = {sidecar("proxy")};
  ending.fact_at(0, "", StateEntered{"syncing", "ending", "the pod is to be removed"});
  const SteadyTime now{std::chrono::seconds(50)};
  const std::vector<StoppingContainer> containers = {
      {.name = "app", .grace_seconds = 30, .begun_at = now, .hook_done_at = now},
      {.name = "proxy", .grace_seconds = 30, .begun_at = now, .hook_done_at = now}};
  const StopsQuestion stops{.pod = ending.spec, .containers = containers, .now = now};
  ending.records.push_back(decision_record(stops, decide_stops(stops), at(0)));
  ending.fact_at(0, "app", StopSent{"Stopping container app", 30});
  ending.spec.metadata.deletionTimestamp = api::Time{at(30)};
  ending.spec.metadata.deletionGracePeriodSeconds = 30;
  ending.spec.status.containerStatuses = {status_of("app")};
  ending.spec.status.containerStatuses[0].state.running = api::ContainerStateRunning{};
  const Why story = ending.story_at(10);
  EXPECT_EQ(story.present,
            "The pod is terminating, with a grace period of 30 s until 22:13:50: "
            "app runs.");
  EXPECT_EQ(texts(story), (Lines{"berthd terminates the pod: the pod is to be removed",
                                 "berthd stops container app, with 30 s to exit",
                                 "sidecar proxy is stopped after app, at 22:13:50 at the latest"}));
  EXPECT_EQ(story.coming,
            Lines{"At 22:13:50, in 20 s, what still runs is killed; then berthd removes the "
                  "pod."});
}

LedgerRecord ending_record(const api::Pod& spec, double second, std::int64_t previous,
                           std::optional<std::int64_t> seconds) {
  const GraceQuestion order{.pod = spec,
                            .previous = previous,
                            .override_seconds = seconds,
                            .cause = EndCause::kDeleted,
                            .requested_at = at(second)};
  return decision_record(order, decide_grace(order), at(second));
}

LedgerRecord phase_record_of(const api::Pod& spec, double second, std::string previous,
                             api::ContainerState app, bool may_run = false) {
  api::ContainerStatus status = status_of("app");
  status.state = std::move(app);
  const PhaseQuestion question{.pod = spec,
                               .statuses = {status},
                               .previous = previous,
                               .shown_before = std::move(previous),
                               .containers_may_run = may_run};
  return decision_record(question, decide_phase(question), at(second));
}

api::ContainerState ended_with(std::int32_t code) {
  return {.terminated = api::ContainerStateTerminated{.exitCode = code}};
}

TEST(Why, who_ends_a_pod_and_how_long_it_has_is_stated_once) {
  Recorded ending{.spec = pod({container("app")})};
  const auto deleted_at = [&ending](double second, const DeletionSituation& situation) {
    const DeletionQuestion deletion{.pod = ending.spec, .situation = situation};
    ending.records.push_back(decision_record(deletion, deletion_period(situation), at(second)));
  };
  deleted_at(0, {.own = 30, .phase = "Running"});
  ending.records.push_back(ending_record(ending.spec, 0, 0, {}));
  ending.fact_at(0, "", StateEntered{"syncing", "ending", "the pod is to be removed"});
  deleted_at(2, {.requested = 60, .own = 30, .phase = "Running", .in_force = 30});
  deleted_at(3, {.requested = 5, .own = 30, .phase = "Running", .in_force = 30});
  ending.records.push_back(ending_record(ending.spec, 3, 30, 5));
  ending.fact_at(4, "",
                 StateEntered{"syncing", "ending", "the pod is to be removed"});  // restarted
  ending.fact_at(9, "", PodRemoved{.cause = EndCause::kDeleted, .phase = "Failed"});
  EXPECT_EQ(texts(ending.story_at(10)),
            (Lines{"berthd terminates the pod: it was deleted through the control socket; "
                   "grace period 30 s, its terminationGracePeriodSeconds",
                   "another deletion with 60 s is not sooner than the 30 s that the pod has",
                   "the pod's grace period of 30 s is shortened to 5 s, as was asked: it was "
                   "deleted through the control socket",
                   "the pod is removed: it ended Failed"}));
}

TEST(Why, a_pod_says_once_why_it_is_in_its_phase) {
  Recorded job{.spec = pod({container("app")}, "Never")};
  const api::ContainerState waits{.waiting = api::ContainerStateWaiting{}};
  const api::ContainerState runs{.running = api::ContainerStateRunning{}};
  job.records.push_back(phase_record_of(job.spec, 0, "", waits));
  job.records.push_back(phase_record_of(job.spec, 1, "Pending", runs));
  job.fact_at(2, "app", ContainerExited{3, "Error"});
  job.records.push_back(phase_record_of(job.spec, 2, "Running", ended_with(3), true));
  job.fact_at(2, "", StateEntered{"syncing", "ending", "the pod is Failed"});
  job.records.push_back(phase_record_of(job.spec, 3, "Failed", ended_with(3)));
  job.fact_at(3, "", StateEntered{"ending", "ended", "nothing of it runs"});
  job.records.push_back(ending_record(job.spec, 8, 0, {}));
  job.fact_at(8, "", StateEntered{"ended", "removing", "the pod is to be removed"});
  const std::string failed =
      "the pod is Failed: not every container has succeeded, and nothing is started again "
      "(restartPolicy Never)";
  EXPECT_EQ(texts(job.story_at(9)),
            (Lines{"the pod is Running: its containers have started",
                   "container app ended with exit code 3", failed,
                   "the pod has ended: nothing of it runs",
                   "the pod is to be removed: it was deleted through the control socket"}));
}

TEST(Why, an_image_that_is_pulled_or_refused_is_named_and_one_that_is_present_is_not) {
  Recorded starting{.spec = pod({container("app")})};
  const auto decide = [&starting](std::string policy, bool present) {
    const ImageQuestion image{.pod = starting.spec,
                              .container = "app",
                              .image = "app:1",
                              .policy = std::move(policy),
                              .present = present};
    starting.records.push_back(decision_record(image, decide_image(image), at(0)));
  };
  decide("IfNotPresent", true);
  decide("IfNotPresent", false);
  decide("Never", false);
  EXPECT_EQ(texts(starting.story_at(1)),
            (Lines{"container app: its image app:1 is pulled: it is not present, imagePullPolicy "
                   "IfNotPresent",
                   "the image of container app cannot be used: Container image \"app:1\" is not "
                   "present with pull policy of Never"}));
}

TEST(Why, a_hook_that_is_not_run_says_why) {
  Recorded ending{.spec = pod({container("app")})};
  const auto decide = [&ending](const PreStopSituation& situation) {
    const PreStopQuestion hook{.pod = ending.spec, .container = "app", .situation = situation};
    ending.records.push_back(decision_record(hook, pre_stop_step(situation, {}), at(0)));
  };
  decide({.has_hook = true, .container_runs = true});
  ending.fact_at(0, "app", Remark{"PreStop", "its preStop hook runs"});
  decide({.has_hook = true, .leaves_time = false, .container_runs = true});
  EXPECT_EQ(texts(ending.story_at(1)),
            (Lines{"container app: its preStop hook runs",
                   "container app: its preStop hook is not run: the grace period leaves no time "
                   "for it"}));
}

TEST(Why, a_refused_pod_says_by_whom_and_why) {
  Recorded refused{.spec = pod({container("app")})};
  const AdmissionQuestion question{.config = node::NodeConfig{.node_name = "node1"},
                                   .pod = refused.spec};
  refused.records.push_back(decision_record(question, decide_admission(question), at(0)));
  EXPECT_EQ(texts(refused.story_at(1)),
            Lines{"the node refuses the pod: OutOfpods: Node didn't have enough resource: pods, "
                  "requested: 1, used: 0, capacity: 0"});
}

TEST(Why, a_pod_past_its_deadline_says_so_and_before_it_when) {
  Recorded job{.spec = pod({container("app")}, "Never"), .shown = runtime({running("app")})};
  job.spec.spec.activeDeadlineSeconds = 60;
  job.start_time = api::Time{at(0)};
  job.plan_at(1);
  job.spec.status.phase = "Running";
  EXPECT_EQ(job.story_at(2).coming,
            Lines{"At 22:14:20 the pod's activeDeadlineSeconds expire, and berthd stops it."});
  job.plan_at(60);
  EXPECT_EQ(texts(job.story_at(61)),
            Lines{"the pod is stopped: it has been active for longer than its "
                  "activeDeadlineSeconds, 1 min"});
}

TEST(Why, a_pod_that_is_gone_is_explained_from_its_records) {
  Recorded gone = crash_loop();
  gone.fact_at(9, "", StateEntered{"removing", "finished", "nothing is left of it"});
  const Why story = why({.records = gone.records, .pod = nullptr, .now = at(86400 * 2)});
  EXPECT_EQ(story.present,
            "The pod is gone; the ledger's last record of it is from 2023-11-14 22:13:29.");
  EXPECT_EQ(story.happened.back().text, "the pod is gone: nothing is left of it");
  EXPECT_EQ(story.coming, Lines{"Nothing: the pod is gone."});
}

TEST(Why, another_incarnation_begins_a_chapter) {
  Recorded first = crash_loop();
  Recorded second = first;
  for (LedgerRecord& record : second.records) record.uid = "uid-2";
  first.records.insert(first.records.end(), second.records.begin(), second.records.end());
  const Lines story = texts(first.story_at(10));
  ASSERT_EQ(story.size(), 9U);
  EXPECT_EQ(story[4], "a new incarnation of the pod begins");
}

TEST(Why, a_record_that_cannot_be_read_is_explained_by_its_reasons) {
  Recorded strange = crash_loop();
  for (LedgerRecord& record : strange.records)
    if (record.kind == "plan") record.input = "{}";
  const Lines story = texts(strange.story_at(10));
  ASSERT_FALSE(story.empty());
  EXPECT_EQ(story.front(), "the pod has no sandbox yet");
}

TEST(Why, a_record_of_a_kind_that_is_not_known_is_explained_by_its_reasons) {
  Recorded newer{.spec = pod({container("app")})};
  newer.records.push_back(ending_record(newer.spec, 0, 0, {}));
  newer.records.back().kind = "of a later version";
  EXPECT_EQ(texts(newer.story_at(1)), (Lines{"it was deleted through the control socket",
                                             "30 s, its terminationGracePeriodSeconds"}));
}

TEST(Why, of_a_pod_nobody_heard_of_nothing_is_said) {
  const Why story = why({.records = {}, .pod = nullptr, .now = at(0)});
  EXPECT_EQ(story.present, "The pod does not exist, and the ledger has no record of it.");
  EXPECT_TRUE(story.happened.empty());
}

}  // namespace
}  // namespace berth::lifecycle::test
