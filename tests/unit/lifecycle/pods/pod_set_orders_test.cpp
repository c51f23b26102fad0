// SPDX-License-Identifier: Apache-2.0

// An operator's orders to the set of pods, and garbage collection: on a quiet simulated runtime.
#include "lifecycle/ledger/pod_removal.hpp"
#include "node/sandbox_config.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

TEST_F(PodSetTest, a_pod_deleted_by_force_is_gone_at_once_and_its_successor_starts_after_its_end) {
  desire({pod("u1", {container("main", {"sim", "term=60000"})})});
  clock.advance(1s);
  ASSERT_EQ(live(), 1);
  const auto watch = agent->pods().watch();
  while (watch->poll()) continue;
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 0s));
  const auto gone = watch->poll();
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->type, ChangeType::kDeleted);
  EXPECT_EQ(gone->pod->metadata.uid, "u1");
  const auto next = agent->pods().find("default", "web");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->metadata.uid, "u1-next");
  EXPECT_EQ(next->status.phase, "Pending");
  EXPECT_EQ(agent->pods().snapshot().size(), 1U);
  clock.advance(1500ms);
  EXPECT_EQ(live(), 1) << "it has 2 s to end by itself, the shortest there is";
  EXPECT_EQ(runtime.instances().size(), 1U);
  clock.advance(2s);
  ASSERT_EQ(runtime.instances().size(), 2U);
  EXPECT_TRUE(runtime.instances()[0].first_kill);
  EXPECT_GE(runtime.instances()[1].created, *runtime.instances()[0].exited);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  clock.advance(2s);
  EXPECT_EQ(agent->pods().find("default", "web")->status.phase, "Running");
}

// An earlier berthd had begun to start this pod; the pod that holds its name is still ending.
TEST_F(PodSetTest, a_pod_that_waits_for_its_name_can_be_stopped_if_anything_of_it_may_run) {
  desire({pod("u1", {container("main", {"sim", "term=60000"})})});
  clock.advance(1s);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 30s));
  clock.advance(100ms);
  end_agent();
  cri::PodSandboxConfig begun;
  begun.metadata = {.name = "web", .uid = "u2", .namespace_ = "default", .attempt = 0};
  begun.labels = {
      {cri::kLabelPodUid, "u2"}, {cri::kLabelPodName, "web"}, {cri::kLabelPodNamespace, "default"}};
  begun.annotations[node::kAnnotationIncarnation] = "1";
  runtime.runs_already(begun, {});
  begin_agent();
  desire({pod("u2", {container("main", {"sim"})})});
  clock.advance(100ms);
  const auto has_second = [](const std::vector<PodPtr>& pods) {
    return std::ranges::any_of(pods, [](const PodPtr& one) { return one->metadata.uid == "u2"; });
  };
  EXPECT_FALSE(has_second(agent->pods().active()));
  EXPECT_TRUE(has_second(agent->pods().placed()));
  ASSERT_TRUE(agent->pods().order("u2", node_shutdown(5s, clock.wall_now())));
  clock.advance(1min);
  EXPECT_EQ(live(), 0);
  EXPECT_TRUE(std::ranges::none_of(runtime.instances(),
                                   [](const auto& one) { return one.pod_uid == "u2"; }));
}

TEST_F(PodSetTest, a_forced_kill_is_finished_by_the_next_berthd_and_still_shown_to_nobody) {
  desire({pod("u1", {container("main", {"sim", "term=60000"})})});
  clock.advance(1s);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 0s));
  clock.advance(500ms);
  end_agent();
  begin_agent();
  auto next = pod("u2", {container("main", {"sim"})});
  desire({next});
  clock.advance(100ms);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(agent->pods().snapshot()[0]->metadata.uid, "u2");
  clock.advance(5s);
  ASSERT_EQ(runtime.instances().size(), 2U);
  EXPECT_GE(runtime.instances()[1].created, *runtime.instances()[0].exited);
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetTest, a_pod_is_shown_as_being_deleted_at_once_whatever_its_worker_waits_for) {
  desire({pod("u1", {container("main", {"sim"}), container("other", {"sim"})})});
  clock.advance(150ms);  // its containers are being created
  ASSERT_TRUE(shown.last);
  runtime.hang();
  clock.advance(1s);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 10s));
  EXPECT_TRUE(shown.last->metadata.deletionTimestamp);
  EXPECT_EQ(shown.last->metadata.deletionGracePeriodSeconds, 10);
  runtime.wake_up();
  clock.advance(20s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
}

TEST_F(PodSetTest, a_later_deletion_counts_only_if_it_is_sooner) {
  desire({pod("u1", {container("main", {"sim", "term=60000"})})});
  clock.advance(1s);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 10s));
  clock.advance(100ms);
  EXPECT_EQ(shown.last->metadata.deletionGracePeriodSeconds, 10);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 20s));
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", std::nullopt));
  clock.advance(100ms);
  EXPECT_EQ(shown.last->metadata.deletionGracePeriodSeconds, 10);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 4s));
  clock.advance(100ms);
  EXPECT_EQ(shown.last->metadata.deletionGracePeriodSeconds, 4);
  clock.advance(5s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
}

TEST_F(PodSetTest, what_ends_without_a_grace_period_can_still_be_deleted_by_force) {
  const auto made = pod("u1", {container("main", {"sim"})});
  made->spec.terminationGracePeriodSeconds = 0;
  desire({made});
  clock.advance(1s);
  runtime.hang();
  desire({});
  clock.advance(10ms);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 0s));
  EXPECT_TRUE(agent->pods().snapshot().empty());
  runtime.wake_up();
  clock.advance(1min);
  EXPECT_EQ(live(), 0);
}

TEST_F(PodSetTest, the_answer_to_an_order_comes_when_the_store_knows_it) {
  desire({pod("u1", {container("main", {"sim", "term=60000"})})});
  clock.advance(1s);
  std::optional<bool> known;
  const auto ask = [](PodSet& pods, std::optional<bool>& answer) -> boost::asio::awaitable<void> {
    const bool stored = co_await pods.orders_stored("u1");
    answer = stored;
  };
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", std::nullopt));
  tasks.spawn("ask", ask(agent->pods(), known));
  clock.advance(500ms);
  EXPECT_EQ(known, true);
  ASSERT_TRUE(store.rows().contains("u1"));
  EXPECT_TRUE(store.rows().at("u1")->end);
}

TEST_F(PodSetTest, an_order_that_finds_the_pod_stopping_is_stored_all_the_same) {
  auto job = pod("u1", {container("main", {"sim", "exit=0", "after=1000"})}, "Never");
  api::Container side = container("side", {"sim", "term=ignore"});
  side.restartPolicy = "Always";
  job->spec.initContainers = {side};
  desire({job});
  clock.advance(5s);
  ASSERT_TRUE(runtime.instances().front().first_term) << "nobody is left whom it serves";
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", std::nullopt));
  clock.advance(100ms);
  EXPECT_EQ(live(), 1);
  EXPECT_TRUE(store.rows().at("u1")->end);
}

TEST_F(PodSetTest, an_order_that_finds_its_pod_waiting_for_the_runtime_is_stored_meanwhile) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(20ms);
  runtime.hang();
  clock.advance(1s);
  ASSERT_TRUE(store.rows().contains("u1"));
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 5s));
  clock.advance(100ms);
  ASSERT_TRUE(store.rows().at("u1")->end);
  EXPECT_EQ(store.rows().at("u1")->end->grace_seconds, 5);
}

TEST_F(PodSetTest, a_condition_opens_a_readiness_gate_and_survives_a_restart) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.readinessGates = {{.conditionType = "example.com/attached"}};
  desire({made});
  clock.advance(1s);
  const auto holds = [this](const char* type) {
    for (const auto& condition : status().conditions)
      if (condition.type == type) return condition.status == "True";
    return false;
  };
  EXPECT_TRUE(holds("ContainersReady"));
  EXPECT_FALSE(holds("Ready"));
  const auto refused = agent->pods().set_condition("default", "web", {.type = "Ready"});
  EXPECT_FALSE(refused);
  ASSERT_TRUE(agent->pods().set_condition(
      "default", "web", {.type = "example.com/attached", .status = "True", .reason = "Done"}));
  clock.advance(100ms);
  EXPECT_TRUE(holds("Ready"));
  EXPECT_TRUE(holds("example.com/attached"));
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(1s);
  EXPECT_TRUE(holds("Ready"));
  ASSERT_TRUE(agent->pods().set_condition("default", "web",
                                          {.type = "example.com/attached", .status = "False"}));
  clock.advance(100ms);
  EXPECT_FALSE(holds("Ready"));
}

TEST_F(PodSetTest, what_a_full_disk_did_not_forget_goes_with_the_next_pod_of_that_name) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1s);
  store.set_full(true);
  desire({});
  clock.advance(20s);
  ASSERT_EQ(shown.gone, std::vector<std::string>{"u1"});
  ASSERT_TRUE(store.rows().contains("u1"));
  // A berthd killed from now on leaves one of them in the store, not two of the same name.
  store.set_full(false);
  desire({pod("u2", {container("main", {"sim"})})});
  while (!store.rows().contains("u2")) clock.advance(1ms);
  EXPECT_FALSE(store.rows().contains("u1"));
}

TEST_F(PodSetTest, one_that_ended_late_is_forgotten_with_the_row_of_its_successor) {
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  store.set_full(true);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 0s));  // the successor waits for its end
  clock.advance(20s);
  store.set_full(false);
  while (!store.rows().contains("u1-next")) clock.advance(1ms);
  EXPECT_FALSE(store.rows().contains("u1"));
}

class PodGcTest : public PodSetTest {
 protected:
  void SetUp() override {
    keep = 1;
    PodSetTest::SetUp();
  }
};

TEST_F(PodGcTest, beyond_the_threshold_the_oldest_vanishes_and_is_not_run_again) {
  const std::vector<PodPtr> desired = {job("u1", "a", 100), job("u2", "b", 50)};
  desire(desired);
  clock.advance(5s);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(agent->pods().snapshot()[0]->metadata.uid, "u1");
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u2"});
  EXPECT_EQ(host.left_of("u2"), "");
  const auto runs = runtime.instances().size();
  const auto deleted = agent->pods().delete_pod("default", "b", std::nullopt);
  EXPECT_EQ(deleted.error().code, ErrorCode::kNotFound);
  EXPECT_NE(deleted.error().message.find("it finished and was collected"), std::string::npos);
  end_agent();
  begin_agent();
  desire(desired);
  clock.advance(1min);
  EXPECT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(runtime.instances().size(), runs) << "its verdict stays as long as its manifest";
  desire({desired[0]});
  clock.advance(1s);
  EXPECT_FALSE(store.rows().contains("u2"));
}

TEST_F(PodGcTest, one_whose_manifest_goes_while_it_is_collected_runs_again_with_it) {
  const std::vector<PodPtr> desired = {job("u1", "a", 100), job("u2", "b", 50)};
  desire(desired);
  while (runtime.sandboxes().size() < 2) clock.advance(1ms);
  for (const auto& sandbox : runtime.sandboxes()) runtime.refuse_removal(sandbox.id, "it is busy");
  clock.advance(5s);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  desire({desired[0]});
  desire(desired);
  const auto runs = runtime.instances().size();
  for (const auto& sandbox : runtime.sandboxes()) runtime.refuse_removal(sandbox.id, "");
  clock.advance(1min);
  EXPECT_EQ(runtime.instances().size(), runs + 1);
}

TEST_F(PodGcTest, a_verdict_that_a_full_disk_refused_is_stored_once_there_is_room) {
  const std::vector<PodPtr> desired = {job("u1", "a", 100), job("u2", "b", 50)};
  end_agent();
  keep = 2;
  begin_agent();
  desire(desired);
  clock.advance(5s);
  ASSERT_EQ(agent->pods().snapshot().size(), 2U);
  // The next berthd is configured to keep one, and finds the disk full.
  end_agent();
  keep = 1;
  store.set_full(true);
  begin_agent();
  desire(desired);
  clock.advance(10s);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(store.rows().at("u2")->verdict, Verdict::kCompleted);
  store.set_full(false);
  clock.advance(1min);
  EXPECT_EQ(store.rows().at("u2")->verdict, Verdict::kCollected);
}

TEST_F(PodGcTest, a_verdict_that_a_full_disk_refused_is_not_stored_after_a_later_one) {
  const std::vector<PodPtr> desired = {job("u1", "a", 100), job("u2", "b", 50)};
  end_agent();
  keep = 2;
  begin_agent();
  desire(desired);
  clock.advance(5s);
  end_agent();
  keep = 1;
  store.set_full(true);
  begin_agent();
  desire(desired);
  clock.advance(10s);
  ASSERT_EQ(store.rows().at("u2")->verdict, Verdict::kCompleted);
  // Before the verdict is tried again, its pod has a successor, and the store accepts that one.
  store.set_full(false);
  desire({desired[0], job("u3", "b", 60)});
  clock.advance(100ms);
  ASSERT_TRUE(store.rows().contains("u3"));
  ASSERT_FALSE(store.rows().contains("u2"));
  clock.advance(1min);
  EXPECT_FALSE(store.rows().contains("u2"));
}

TEST(RemovalText, says_who_ended_it_and_how_whatever_its_last_phase) {
  api::Pod pod;
  pod.status.phase = "Failed";
  pod.status.initContainerStatuses = {{.name = "i"}};
  pod.status.initContainerStatuses[0].state.terminated =
      api::ContainerStateTerminated{.exitCode = 0, .reason = "Completed"};
  pod.status.containerStatuses = {{.name = "c"}, {.name = "d"}};
  pod.status.containerStatuses[0].state.terminated =
      api::ContainerStateTerminated{.exitCode = 137, .reason = "OOMKilled"};
  EXPECT_EQ(fact_text(removal(pod, EndInForce{.ending = manifest_removed({})})),
            "the pod is removed: its manifest was removed, or now defines another pod; it "
            "ended Failed: init container i with exit code 0, container c with exit code 137 "
            "(signal KILL), OOMKilled, container d that never ran");
  pod.status = {.phase = "Pending", .reason = "NotSupported"};
  EXPECT_EQ(fact_text(removal(pod, EndInForce{.ending = deleted({}, {})})),
            "the pod is removed: it was deleted through the control socket; it was Pending "
            "(NotSupported)");
  pod.status = {};
  EXPECT_EQ(fact_text(removal(pod, EndInForce{.ending = collected({})})),
            "the pod is removed: more pods had finished than are kept; it had not begun");
}

}  // namespace
}  // namespace berth::lifecycle
