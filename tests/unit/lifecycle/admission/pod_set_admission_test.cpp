// SPDX-License-Identifier: Apache-2.0

// Admission as it affects pods, on a quiet simulated runtime.
#include "lifecycle/admission/pressure_gate.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

std::shared_ptr<api::Pod> named(const char* name, const char* cpu, std::int32_t priority) {
  auto made = pod((std::string("u-") + name).c_str(), {container("main", {"sim"})});
  made->metadata.name = name;
  made->metadata.labels = {{"app", name}};
  made->spec.schedulerName = "default-scheduler";
  made->spec.priority = priority;
  made->spec.containers[0].resources.requests = {{"cpu", *api::Quantity::parse(cpu)}};
  return made;
}

class PodSetAdmissionTest : public PodSetTest {
 protected:
  void taint(std::vector<api::Taint> given) {
    end_agent();
    node.taints = std::move(given);
    begin_agent();
  }
  [[nodiscard]] api::PodStatus status_of(const char* name) const {
    const PodPtr found = agent->pods().find("default", name);
    return found ? found->status : api::PodStatus{};
  }
};

TEST_F(PodSetAdmissionTest, what_the_scheduler_cannot_place_is_pending_and_says_why) {
  taint({{.key = "gpu", .effect = "NoSchedule"}});
  desire({named("web", "1", 0)});
  clock.advance(1s);
  const api::PodStatus shown_now = status_of("web");
  EXPECT_EQ(shown_now.phase, "Pending");
  EXPECT_EQ(shown_now.startTime, std::nullopt);
  ASSERT_EQ(shown_now.conditions.size(), 1U);
  const api::PodCondition& scheduled = shown_now.conditions[0];
  EXPECT_EQ(scheduled.type, "PodScheduled");
  EXPECT_EQ(scheduled.status, "False");
  EXPECT_EQ(scheduled.reason, "Unschedulable");
  EXPECT_TRUE(scheduled.message.starts_with(
      "0/1 nodes are available: 1 node(s) had untolerated taint(s)."));
  EXPECT_EQ(recorded_events.count("FailedScheduling: 0/1 nodes are available"), 1);
  EXPECT_EQ(agent->pods().find("default", "web")->spec.nodeName, "");
  EXPECT_TRUE(runtime.instances().empty());
  clock.advance(60s);
  EXPECT_EQ(recorded_events.count("FailedScheduling"), 1) << "nothing has changed";
}

TEST_F(PodSetAdmissionTest, a_pending_pod_is_gone_at_once_when_it_is_no_longer_desired) {
  taint({{.key = "gpu", .effect = "NoSchedule"}});
  desire({named("web", "1", 0)});
  clock.advance(1s);
  desire({});
  clock.advance(1s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u-web"});
  EXPECT_FALSE(agent->admission().any_wanted());
}

TEST_F(PodSetAdmissionTest, it_runs_as_soon_as_what_stood_against_it_is_gone) {
  auto web = named("web", "1", 0);
  web->spec.restartPolicy = "Never";
  web->spec.containers[0].command = {"sim", "exit=0", "after=5000"};
  auto shy = named("shy", "1", 0);
  api::PodAffinityTerm term{.topologyKey = "kubernetes.io/hostname"};
  term.labelSelector = api::LabelSelector{.matchLabels = {{"app", "web"}}};
  shy->spec.affinity.emplace();
  shy->spec.affinity->podAntiAffinity.emplace();
  shy->spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution = {term};
  desire({web});
  clock.advance(1s);
  desire({web, shy});
  clock.advance(1s);
  EXPECT_EQ(status_of("shy").phase, "Pending");
  clock.advance(6s);
  EXPECT_EQ(status_of("web").phase, "Succeeded");
  EXPECT_EQ(status_of("shy").phase, "Running");
  EXPECT_EQ(agent->pods().find("default", "shy")->spec.nodeName, "node1");
  EXPECT_EQ(recorded_events.count("Scheduled: Successfully assigned default/shy to node1"), 1);
}

TEST_F(PodSetAdmissionTest, a_closed_node_refuses_new_pods_and_lets_waiting_ones_wait) {
  const auto low = named("low", "3", 1);
  auto high = named("high", "3", 100);
  high->spec.restartPolicy = "Never";
  high->spec.containers[0].command = {"sim", "exit=0", "after=5000"};
  desire({low});
  clock.advance(1s);
  desire({low, high});
  clock.advance(2s);
  ASSERT_EQ(status_of("low").phase, "Pending") << "preempted, it waits for room";
  agent->pods().close(Refusal{.reason = "NodeShutdown", .message = "the node shuts down"});
  const auto fresh = named("fresh", "100m", 0);
  auto waiting = named("low", "3", 1);
  waiting->metadata.uid = "u-low-next";
  desire({waiting, high, fresh});
  clock.advance(10s);
  EXPECT_EQ(status_of("fresh").phase, "Failed");
  EXPECT_EQ(status_of("fresh").reason, "NodeShutdown");
  EXPECT_EQ(status_of("fresh").message, "Pod was rejected: the node shuts down");
  ASSERT_EQ(status_of("high").phase, "Succeeded");
  EXPECT_EQ(status_of("low").phase, "Pending") << "there is room, and nobody asks for it";
  agent->pods().close(std::nullopt);
  clock.advance(1s);
  EXPECT_EQ(status_of("low").phase, "Running");
  EXPECT_EQ(status_of("fresh").phase, "Failed") << "for good";
}

TEST_F(PodSetAdmissionTest, under_pressure_a_pod_is_refused_before_the_other_checks) {
  class Pressure final : public PressureGate {
   public:
    [[nodiscard]] std::optional<Refusal> refusal(const api::Pod& pod) const override {
      if (pod.metadata.name != "web") return std::nullopt;
      return Refusal{.reason = "Evicted", .message = "The node had condition: [MemoryPressure]. "};
    }
  } pressure;
  agent->pods().set_pressure(&pressure);
  desire({named("web", "100m", 0), named("spared", "100m", 0)});
  clock.advance(1s);
  EXPECT_EQ(status_of("web").phase, "Failed");
  EXPECT_EQ(status_of("web").reason, "Evicted");
  EXPECT_EQ(status_of("web").message,
            "Pod was rejected: The node had condition: [MemoryPressure]. ");
  EXPECT_EQ(status_of("spared").phase, "Running");
  agent->pods().set_pressure(nullptr);
}

TEST_F(PodSetAdmissionTest, a_pod_that_is_not_run_has_no_conditions_to_be_set) {
  taint({{.key = "gpu", .effect = "NoSchedule"}});
  desire({named("web", "1", 0)});
  clock.advance(1s);
  const auto set = agent->pods().set_condition("default", "web",
                                               {.type = "example.com/attached", .status = "True"});
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(set.error().message, "pods \"web\" is not run, so it has no conditions to be set");
}

TEST_F(PodSetAdmissionTest, a_pod_of_lower_priority_goes_and_comes_back_when_there_is_room_again) {
  const auto low = named("low", "3", 1);
  desire({low});
  clock.advance(1s);
  ASSERT_EQ(live(), 1);
  auto high = named("high", "3", 100);
  high->spec.restartPolicy = "Never";
  high->spec.containers[0].command = {"sim", "exit=0", "after=60000"};
  desire({low, high});
  drain();
  EXPECT_EQ(status_of("high").phase, "Pending");
  EXPECT_EQ(status_of("high").nominatedNodeName, "node1");
  EXPECT_EQ(recorded_events.count("Preempted: Preempted by pod u-high on node node1"), 1);
  clock.advance(5s);
  EXPECT_EQ(status_of("high").phase, "Running");
  EXPECT_EQ(status_of("low").phase, "Pending") << "the next one waits, and has not failed";
  EXPECT_EQ(live(), 1);
  clock.advance(65s);
  EXPECT_EQ(status_of("high").phase, "Succeeded");
  EXPECT_EQ(status_of("low").phase, "Running");
}

TEST_F(PodSetAdmissionTest, what_had_to_go_waits_over_a_restart_of_berthd_as_well) {
  const auto low = named("low", "3", 1);
  const auto high = named("high", "3", 100);
  desire({low});
  clock.advance(1s);
  desire({low, high});
  clock.advance(5s);
  ASSERT_EQ(status_of("high").phase, "Running");
  end_agent();
  begin_agent();
  auto next = named("low", "3", 1);
  next->metadata.uid = "u-low-next";
  desire({next, high});
  clock.advance(2s);
  EXPECT_EQ(status_of("high").phase, "Running");
  EXPECT_EQ(status_of("low").phase, "Pending");
}

TEST_F(PodSetAdmissionTest, nobody_of_the_same_priority_goes_and_what_finds_no_room_has_failed) {
  const auto there = named("there", "3", 7);
  desire({there});
  clock.advance(1s);
  desire({there, named("same", "3", 7)});
  clock.advance(1s);
  EXPECT_EQ(status_of("there").phase, "Running");
  EXPECT_EQ(status_of("same").phase, "Failed");
  EXPECT_EQ(status_of("same").reason, "OutOfcpu");
}

TEST_F(PodSetAdmissionTest, the_node_ends_a_pod_for_a_critical_one_which_waits_for_that) {
  const auto low = named("low", "3", 1);
  low->spec.containers[0].command = {"sim", "term=3000"};
  low->spec.terminationGracePeriodSeconds = 10;
  desire({low});
  clock.advance(1s);
  auto critical = named("critical", "3", 2000000000);
  critical->spec.nodeName = "node1";
  const auto other = named("other", "1", 0);
  desire({low, critical, other});
  clock.advance(1s);
  EXPECT_EQ(recorded_events.count("Preempting: Preempted in order to admit critical pod"), 1);
  EXPECT_EQ(status_of("critical").phase, "Pending");
  EXPECT_EQ(status_of("other").phase, "Pending") << "it is listed, and answered afterwards";
  EXPECT_EQ(status_of("low").phase, "Running");
  clock.advance(5s);
  EXPECT_EQ(status_of("critical").phase, "Running");
  EXPECT_EQ(status_of("other").phase, "Running");
  const api::PodStatus ended = status_of("low");
  EXPECT_EQ(ended.phase, "Failed");
  EXPECT_EQ(ended.reason, "Preempting");
  EXPECT_EQ(ended.message, "Preempted in order to admit critical pod");
  const auto target =
      std::ranges::find(ended.conditions, "DisruptionTarget", &api::PodCondition::type);
  ASSERT_NE(target, ended.conditions.end());
  EXPECT_EQ(target->reason, "TerminationByKubelet");
  EXPECT_EQ(target->message, "Pod was preempted by Kubelet to accommodate a critical pod.");
  EXPECT_EQ(live(), 2);
  EXPECT_EQ(recorded_events.count("Preempting"), 1);
}

TEST_F(PodSetAdmissionTest, a_preempted_pod_that_is_not_stopped_in_time_is_reported_once) {
  const auto low = named("low", "3", 1);
  low->spec.terminationGracePeriodSeconds = 10;
  desire({low});
  clock.advance(1s);
  runtime.hang();
  auto critical = named("critical", "3", 2000000000);
  critical->spec.nodeName = "node1";
  desire({low, critical});
  clock.advance(14s);
  EXPECT_EQ(recorded_events.count("ExceededGracePeriod"), 0);
  clock.advance(2s);
  EXPECT_EQ(recorded_events.count("ExceededGracePeriod: Container runtime did not kill the pod "
                                  "within specified grace period."),
            1);
  clock.advance(1min);
  EXPECT_EQ(recorded_events.count("ExceededGracePeriod"), 1);
  EXPECT_EQ(status_of("critical").phase, "Pending");
  runtime.wake_up();
  clock.advance(5min);
  EXPECT_EQ(status_of("critical").phase, "Running");
}

TEST_F(PodSetAdmissionTest, a_critical_pod_for_which_nobody_is_enough_says_so_as_the_kubelet) {
  const auto peer = named("peer", "3", 2000000000);
  desire({peer});
  clock.advance(1s);
  auto critical = named("critical", "3", 2000000000);
  critical->spec.nodeName = "node1";
  desire({peer, critical});
  clock.advance(1s);
  EXPECT_EQ(status_of("critical").phase, "Failed");
  EXPECT_EQ(status_of("critical").reason, "UnexpectedAdmissionError");
  EXPECT_EQ(status_of("peer").phase, "Running");
}

TEST_F(PodSetAdmissionTest, a_pod_that_makes_room_says_so_in_its_condition) {
  const auto low = named("low", "3", 1);
  low->spec.containers[0].command = {"sim", "term=3000"};
  desire({low});
  clock.advance(1s);
  desire({low, named("high", "3", 100)});
  clock.advance(1s);
  const api::PodStatus ending = status_of("low");
  const auto target =
      std::ranges::find(ending.conditions, "DisruptionTarget", &api::PodCondition::type);
  ASSERT_NE(target, ending.conditions.end());
  EXPECT_EQ(target->status, "True");
  EXPECT_EQ(target->reason, "PreemptionByScheduler");
  EXPECT_EQ(target->message, "default-scheduler: preempting to accommodate a higher priority pod");
  clock.advance(1s);
  EXPECT_EQ(status_of("high").phase, "Pending") << "the other one has its grace period";
}

}  // namespace
}  // namespace berth::lifecycle
