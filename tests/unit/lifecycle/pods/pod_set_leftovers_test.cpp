// SPDX-License-Identifier: Apache-2.0

// Leftovers of pods that no worker runs, found in the runtime or on the machine: an earlier berthd
// created them, or a call that it gave up.
#include <algorithm>
#include <string_view>

#include "node/node_object.hpp"
#include "node/sandbox_config.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

class PodSetLeftovers : public PodSetTest {
 protected:
  // A sandbox of that pod appears, requested by a caller that does not receive the response.
  void sandbox_turns_up(const char* uid) {
    sandbox_turns_up(uid, 0, {{node::kAnnotationIncarnation, "1"}});
  }
  void sandbox_turns_up(const char* uid, std::uint32_t attempt, cri::StringMap annotations) {
    spawn_and_drain(run_sandbox(uid, attempt, std::move(annotations)));
    clock.advance(1s);
    ASSERT_FALSE(sandbox_is_gone(uid));
  }
  [[nodiscard]] bool sandbox_is_gone(std::string_view uid) const { return sandboxes(uid) == 0; }
  [[nodiscard]] std::int64_t sandboxes(std::string_view uid) const {
    return std::ranges::count_if(runtime.sandboxes(), [uid](const auto& one) {
      return one.config.metadata.uid == uid && !one.removed;
    });
  }
  // The pod's manifest states the uid, and this is the second incarnation with it.
  static std::shared_ptr<api::Pod> second(std::shared_ptr<api::Pod> made) {
    made->metadata.annotations = {{node::kAnnotationManifest, "a"},
                                  {node::kAnnotationIncarnation, "2"}};
    return made;
  }
  static cri::StringMap of_the_first() {
    return {{node::kAnnotationManifest, "a"}, {node::kAnnotationIncarnation, "1"}};
  }
  void keep_one() {
    end_agent();
    keep = 1;
    begin_agent();
  }
  void allow_one_pod() {
    node::NodeConfig config;
    config.node_name = "node1";
    config.max_pods = 1;
    node::NodeFacts facts;
    facts.cpus = 4;
    facts.memory = std::int64_t{8} << 30;
    facts.hostname = "node1";
    facts.addresses = {"192.168.7.1"};
    const auto view = std::make_shared<const node::NodeView>(
        node::make_node_view(config, facts, {.servers = {"192.168.7.2"}}));
    agent->pods().set_node(
        view, std::make_shared<const api::Node>(node::node_object(*view, {}, nullptr)));
  }
  boost::asio::awaitable<void> prepare(PodPtr pod) {
    const auto prepared = co_await host.prepare_pod(std::move(pod));
    EXPECT_TRUE(prepared.has_value());
  }
  static PodPtr greedy(const char* uid) {
    auto made = pod(uid, {container("main", {"sim"})});
    made->spec.containers[0].resources.requests["cpu"] = *api::Quantity::parse("100");
    return made;
  }

  boost::asio::awaitable<void> remove_sandbox(cri::SandboxId id) {
    const Context context;
    const auto stopped = co_await runtime.stop_pod_sandbox(context, id);
    EXPECT_TRUE(stopped.has_value());
    const auto removed = co_await runtime.remove_pod_sandbox(context, id);
    EXPECT_TRUE(removed.has_value());
  }

 private:
  boost::asio::awaitable<void> run_sandbox(std::string uid, std::uint32_t attempt,
                                           cri::StringMap annotations) {
    cri::PodSandboxConfig config;
    config.metadata = {.name = "web", .uid = uid, .namespace_ = "default", .attempt = attempt};
    config.annotations = std::move(annotations);
    config.labels = {{cri::kLabelPodName, "web"},
                     {cri::kLabelPodNamespace, "default"},
                     {cri::kLabelPodUid, uid}};
    const Context context;
    const auto made = co_await runtime.run_pod_sandbox(context, config, "");
    EXPECT_TRUE(made.has_value());
  }
};

TEST_F(PodSetLeftovers, of_a_refused_pod_is_removed_and_its_verdict_stays) {
  desire({greedy("u1")});
  clock.advance(1s);
  ASSERT_EQ(status().reason, "OutOfcpu");
  sandbox_turns_up("u1");
  clock.advance(2min);
  EXPECT_EQ(status().reason, "OutOfcpu");
  EXPECT_EQ(shown.phases, std::vector<std::string>{"Failed"});
  desire({});
  clock.advance(1min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_TRUE(store.rows().empty());
}

TEST_F(PodSetLeftovers, of_a_refused_pod_is_removed_by_a_berthd_that_finds_it_at_its_start) {
  desire({greedy("u1")});
  clock.advance(1s);
  end_agent();
  sandbox_turns_up("u1");
  begin_agent();
  desire({greedy("u1")});
  clock.advance(1min);
  EXPECT_EQ(status().reason, "OutOfcpu");
  desire({});
  clock.advance(1min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
  EXPECT_TRUE(store.rows().empty());
}

// Its manifest was removed, and written again while no berthd was running.
TEST_F(PodSetLeftovers, of_a_verdict_end_with_the_order_that_the_store_has) {
  desire({greedy("u1")});
  clock.advance(1s);
  end_agent();
  begin_agent();
  desire({});
  for (int i = 0; i < 100 && (store.rows().empty() || !store.rows().at("u1")->end); ++i)
    clock.advance(1ms);
  ASSERT_TRUE(store.rows().contains("u1") && store.rows().at("u1")->end);
  end_agent();
  ASSERT_TRUE(store.rows().contains("u1"));
  shown.phases.clear();
  begin_agent();
  desire({greedy("u1")});
  clock.advance(1min);
  EXPECT_FALSE(store.rows().at("u1")->end) << "of the one before";
  EXPECT_EQ(status().reason, "OutOfcpu");
}

// The next incarnation is numbered after the newest that has ended, which only the store knows.
TEST_F(PodSetLeftovers, of_a_pod_that_nobody_knows_leave_the_rows_of_ended_pods_alone) {
  desire({pod("u2", {container("main", {"sim"})})});
  clock.advance(5s);
  const auto next = pod("u3", {container("main", {"sim"})});
  next->spec.nodeName = "elsewhere";
  desire({next});
  clock.advance(1min);
  ASSERT_EQ(store.rows().at("u2")->verdict, Verdict::kEnded);
  sandbox_turns_up("u1");
  clock.advance(2min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
  ASSERT_TRUE(store.rows().contains("u2"));
  EXPECT_EQ(store.rows().at("u2")->verdict, Verdict::kEnded);
}

TEST_F(PodSetLeftovers, of_a_collected_pod_is_removed_and_it_stays_hidden) {
  keep_one();
  desire({job("u1", "a", 100), job("u2", "b", 50)});
  clock.advance(5s);
  ASSERT_EQ(shown.gone, std::vector<std::string>{"u2"});
  sandbox_turns_up("u2");
  clock.advance(2min);
  EXPECT_TRUE(sandbox_is_gone("u2"));
  EXPECT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(store.rows().at("u2")->verdict, Verdict::kCollected);
}

// While they are there, the collected pod waits for its name. Whoever asks then learns what only
// the store knows.
TEST_F(PodSetLeftovers, of_another_pod_hide_from_nobody_that_a_pod_of_the_name_was_collected) {
  keep_one();
  desire({job("u1", "a", 100), job("u2", "web", 50)});
  clock.advance(5s);
  ASSERT_EQ(store.rows().at("u2")->verdict, Verdict::kCollected);
  end_agent();
  sandbox_turns_up("u9");
  const auto other = runtime.sandboxes().back().id;
  runtime.refuse_removal(other, "it is busy");
  begin_agent();
  desire({job("u1", "a", 100), job("u2", "web", 50)});
  clock.advance(1s);
  ASSERT_FALSE(sandbox_is_gone("u9"));
  EXPECT_TRUE(agent->pods().is_collected("u2"));
  EXPECT_FALSE(agent->pods().is_collected("u1"));
  runtime.refuse_removal(other, "");
  clock.advance(2min);
  EXPECT_TRUE(sandbox_is_gone("u9"));
  EXPECT_TRUE(agent->pods().is_collected("u2"));
}

TEST_F(PodSetLeftovers, the_directories_of_a_collected_pod_are_removed_as_well) {
  keep_one();
  desire({job("u1", "a", 100), job("u2", "b", 50)});
  clock.advance(5s);
  ASSERT_EQ(store.rows().at("u2")->verdict, Verdict::kCollected);
  end_agent();
  // Directories from a berthd that could not persist that it started the pod anew.
  spawn_and_drain(prepare(job("u2", "b", 50)));
  ASSERT_NE(host.left_of("u2"), "");
  begin_agent();
  desire({job("u1", "a", 100), job("u2", "b", 50)});
  clock.advance(5s);
  EXPECT_EQ(host.left_of("u2"), "");
}

TEST_F(PodSetLeftovers, that_cannot_be_removed_are_reported_once_and_removed_when_they_can) {
  end_agent();
  spawn_and_drain(prepare(pod("u1", {container("main", {"sim"})})));
  begin_agent();
  host.set_fails(1000);
  desire({});
  clock.advance(5min);
  EXPECT_EQ(std::ranges::count_if(agent->warnings(),
                                  [](const auto& text) { return text.starts_with("Cleanup"); }),
            1);
  host.set_fails(0);
  clock.advance(11s);
  EXPECT_EQ(host.left_of("u1"), "");
}

TEST_F(PodSetLeftovers, are_removed_before_a_pod_that_gets_their_uid_begins) {
  host.take_time({1ms, 9ms});
  for (auto desired_after = 0ms; desired_after < 40ms; desired_after += 1ms) {
    end_agent();
    const auto made = pod("u1", {container("main", {"sim"})});
    spawn_and_drain(prepare(made));
    clock.advance(10ms);
    begin_agent();
    desire({});
    clock.advance(desired_after);
    desire({made});
    clock.advance(5s);
    EXPECT_EQ(live(), 1);
    EXPECT_TRUE(host.has_cgroup("u1")) << desired_after.count();
    desire({});
    clock.advance(1min);
  }
}

TEST_F(PodSetLeftovers, of_a_held_pod_ends_with_it) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.nodeName = "elsewhere";
  desire({made});
  clock.advance(1s);
  ASSERT_EQ(status().phase, "Pending");
  sandbox_turns_up("u1");
  clock.advance(2min);
  EXPECT_FALSE(sandbox_is_gone("u1")) << "what is there of it stays";
  desire({});
  clock.advance(1min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
}

TEST_F(PodSetLeftovers, of_a_held_pod_that_was_deleted_are_removed_by_the_next_berthd) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.nodeName = "elsewhere";
  desire({made});
  clock.advance(1s);
  sandbox_turns_up("u1");
  clock.advance(2min);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 5s));
  for (int i = 0; i < 100 && (store.rows().empty() || !store.rows().begin()->second->end); ++i)
    clock.advance(1ms);
  ASSERT_FALSE(store.rows().empty());
  end_agent();
  ASSERT_FALSE(sandbox_is_gone("u1"));
  begin_agent();
  desire({made});
  clock.advance(1min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(agent->pods().snapshot()[0]->metadata.uid, "u1-next");
  EXPECT_EQ(status().phase, "Pending");
}

TEST_F(PodSetLeftovers, of_an_earlier_pod_under_the_uid_are_removed_beside_the_one_that_runs) {
  desire({second(pod("u1", {container("main", {"sim"})}))});
  clock.advance(5s);
  ASSERT_EQ(live(), 1);
  sandbox_turns_up("u1", 1, of_the_first());
  ASSERT_EQ(sandboxes("u1"), 2);
  clock.advance(2min);
  EXPECT_EQ(sandboxes("u1"), 1);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(status().containerStatuses[0].restartCount, 0);
}

TEST_F(PodSetLeftovers, of_an_earlier_pod_under_the_uid_do_not_let_a_pod_that_runs_once_go_on) {
  auto made = second(pod("u1", {container("main", {"sim"})}, "Never"));
  made->spec.initContainers = {container("init", {"sim", "code=0"})};
  desire({made});
  clock.advance(5s);
  ASSERT_EQ(live(), 1);
  sandbox_turns_up("u1", 1, of_the_first());
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, false);
  clock.advance(2min);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(runtime.instances().size(), 1U) << "the init container alone";
  EXPECT_EQ(sandboxes("u1"), 1) << "its own, which is dead";
}

TEST_F(PodSetLeftovers, that_somebody_forged_are_left_alone_and_change_nothing_that_runs) {
  const auto made = pod("u1", {container("main", {"sim"})});
  desire({made});
  clock.advance(5s);
  sandbox_turns_up("u1", 7, {});
  sandbox_turns_up("u2", 0, {});
  clock.advance(2min);
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(2min);
  EXPECT_EQ(sandboxes("u1"), 2);
  EXPECT_EQ(sandboxes("u2"), 1);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(status().containerStatuses[0].restartCount, 0);
  desire({});
  clock.advance(1min);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(sandboxes("u1"), 1) << "the forged one";
}

TEST_F(PodSetLeftovers, of_a_predecessor_do_not_hide_the_pod_that_runs_from_the_next_berthd) {
  const auto made = pod("u2", {container("main", {"sim"})});
  desire({made});
  clock.advance(5s);
  end_agent();
  sandbox_turns_up("u1");
  begin_agent();
  desire({made});
  clock.advance(1ms);
  while (!agent->pods().ready()) clock.advance(1ms);
  ASSERT_NE(agent->pods().find("default", "web"), nullptr);
  EXPECT_EQ(status().phase, "Running");
  clock.advance(1min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetLeftovers, of_a_refused_pod_that_is_deleted_again_are_shown_to_nobody) {
  desire({greedy("u1")});
  clock.advance(1s);
  ASSERT_EQ(status().phase, "Failed");
  host.set_fails(1000);
  desire({});
  clock.advance(1s);
  ASSERT_NE(agent->pods().find("default", "web"), nullptr) << "its directories are still there";
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 5s));
  EXPECT_EQ(agent->pods().find("default", "web"), nullptr) << "it has finished, and goes at once";
  host.set_fails(0);
  clock.advance(1min);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
}

TEST_F(PodSetLeftovers, that_are_unknown_let_a_pod_of_their_name_be_listed_while_it_waits) {
  end_agent();
  sandbox_turns_up("u1");
  begin_agent();
  desire({pod("u2", {container("main", {"sim"})})});
  clock.advance(1ms);
  while (!agent->pods().ready()) clock.advance(1ms);
  ASSERT_NE(agent->pods().find("default", "web"), nullptr);
  clock.advance(1min);
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetLeftovers, that_are_unknown_take_no_pods_place) {
  end_agent();
  sandbox_turns_up("u1");
  begin_agent();
  allow_one_pod();
  auto other = pod("u2", {container("main", {"sim"})});
  other->metadata.name = "db";
  desire({other});
  clock.advance(5s);
  EXPECT_EQ(recorded_events.count("FailedScheduling"), 0) << "an undesired one goes at once";
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetLeftovers, that_are_unknown_take_nothing_back_of_what_was_shown_of_the_successor) {
  const auto made = pod("u2", {container("main", {"sim"})});
  desire({made});
  clock.advance(5s);
  const auto started = status().startTime;
  ASSERT_TRUE(started.has_value());
  end_agent();
  spawn_and_drain(remove_sandbox(runtime.sandboxes().at(0).id));
  sandbox_turns_up("u1");
  begin_agent();
  desire({made});
  for (int i = 0; i < 10'000; ++i) {
    const auto shown_now = agent->pods().find("default", "web");
    if (shown_now) {
      ASSERT_EQ(shown_now->status.startTime, started) << i;
    }
    clock.advance(1ms);
  }
  EXPECT_EQ(live(), 1);
  EXPECT_TRUE(sandbox_is_gone("u1"));
}

TEST_F(PodSetLeftovers, that_are_unknown_stay_so_when_berthd_starts_again_before_they_have_ended) {
  end_agent();
  sandbox_turns_up("u1");
  host.set_fails(1000);
  begin_agent();
  desire({});
  clock.advance(5s);
  ASSERT_TRUE(store.rows().contains("u1")) << "its end";
  EXPECT_EQ(kept.texts("UnknownPod").size(), 1U) << "the decision is recorded";
  end_agent();
  begin_agent();
  desire({});
  for (int i = 0; i < 5'000; ++i) {
    ASSERT_EQ(agent->pods().find("default", "web"), nullptr) << i;
    clock.advance(1ms);
  }
  host.set_fails(0);
  clock.advance(1min);
  EXPECT_TRUE(sandbox_is_gone("u1"));
  EXPECT_TRUE(shown.gone.empty());
  EXPECT_EQ(kept.texts("UnknownPod").size(), 1U) << "it just goes on";
  EXPECT_TRUE(kept.texts("ManifestGone").empty());
}

TEST_F(PodSetLeftovers, that_an_earlier_berthd_ran_end_as_if_their_manifest_had_just_gone) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(5s);
  end_agent();
  begin_agent();
  desire({});
  clock.advance(2min);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(kept.texts("ManifestGone"),
            std::vector<std::string>{"berthd's state has it, and no manifest defines it any more"});
  EXPECT_TRUE(kept.texts("UnknownPod").empty());
}

TEST_F(PodSetLeftovers, give_no_sandbox_a_number_that_one_before_had) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(5s);
  ASSERT_EQ(runtime.sandboxes().size(), 1U);
  spawn_and_drain(remove_sandbox(runtime.sandboxes().at(0).id));
  clock.advance(2min);
  ASSERT_EQ(runtime.sandboxes().size(), 2U);
  EXPECT_EQ(runtime.sandboxes().at(1).config.metadata.attempt, 1U);
  EXPECT_EQ(live(), 1);
}

}  // namespace
}  // namespace berth::lifecycle
