// SPDX-License-Identifier: Apache-2.0

#include "ctl/pod_row.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

api::ContainerStatus running(std::string name, bool ready = true) {
  api::ContainerStatus status{.name = std::move(name), .ready = ready, .started = true};
  status.state.running.emplace();
  return status;
}

api::ContainerStatus waiting(std::string name, std::string reason) {
  api::ContainerStatus status{.name = std::move(name)};
  status.state.waiting = api::ContainerStateWaiting{.reason = std::move(reason)};
  return status;
}

api::ContainerStatus terminated(std::string name, int code, std::string reason) {
  api::ContainerStatus status{.name = std::move(name)};
  status.state.terminated =
      api::ContainerStateTerminated{.exitCode = code, .reason = std::move(reason)};
  return status;
}

api::PodCondition condition(std::string type, std::string status) {
  return api::PodCondition{.type = std::move(type), .status = std::move(status)};
}

// One regular container `c`, running and ready.
api::Pod healthy() {
  api::Pod pod;
  pod.metadata.name = "web-node1";
  pod.spec.containers = {api::Container{.name = "c"}};
  pod.status.phase = "Running";
  pod.status.containerStatuses = {running("c")};
  pod.status.conditions = {condition("Ready", "True"), condition("Initialized", "True")};
  return pod;
}

// Two init containers and a sidecar before `c`, none of them done yet.
api::Pod starting() {
  api::Pod pod = healthy();
  pod.spec.initContainers = {api::Container{.name = "a"},
                             api::Container{.name = "s", .restartPolicy = "Always"},
                             api::Container{.name = "b"}};
  pod.status.phase = "Pending";
  pod.status.conditions = {condition("Initialized", "False")};
  pod.status.containerStatuses = {waiting("c", "PodInitializing")};
  pod.status.initContainerStatuses = {waiting("a", "PodInitializing"),
                                      waiting("s", "PodInitializing"),
                                      waiting("b", "PodInitializing")};
  return pod;
}

struct Case {
  std::string sentence;
  api::Pod base;
  std::function<void(api::Pod&)> change;
  std::string status;
  std::string ready;
};

class StatusColumn : public testing::TestWithParam<Case> {};

TEST_P(StatusColumn, says_what_kubectl_says) {
  api::Pod pod = GetParam().base;
  GetParam().change(pod);
  const PodSummary summary = summarize(pod);
  EXPECT_EQ(summary.status, GetParam().status);
  EXPECT_EQ(std::to_string(summary.ready) + "/" + std::to_string(summary.total), GetParam().ready);
}

std::vector<Case> pods_that_run() {
  return {
      {"running_and_ready", healthy(), [](api::Pod&) {}, "Running", "1/1"},
      {"running_but_not_ready", healthy(),
       [](api::Pod& pod) { pod.status.containerStatuses = {running("c", false)}; }, "Running",
       "0/1"},
      {"crash_loop", healthy(),
       [](api::Pod& pod) { pod.status.containerStatuses = {waiting("c", "CrashLoopBackOff")}; },
       "CrashLoopBackOff", "0/1"},
      {"one_is_done_and_another_runs", healthy(),
       [](api::Pod& pod) {
         pod.spec.containers.push_back(api::Container{.name = "d"});
         pod.status.containerStatuses = {terminated("c", 0, "Completed"), running("d")};
       },
       "Running", "1/2"},
      {"one_is_done_another_runs_and_the_pod_is_not_ready", healthy(),
       [](api::Pod& pod) {
         pod.spec.containers.push_back(api::Container{.name = "d"});
         pod.status.containerStatuses = {terminated("c", 0, "Completed"), running("d")};
         pod.status.conditions = {condition("Ready", "False"), condition("Initialized", "True")};
       },
       "NotReady", "1/2"},
  };
}

std::vector<Case> pods_with_init_containers() {
  return {
      {"nothing_through_yet", starting(), [](api::Pod&) {}, "Init:0/3", "0/2"},
      {"the_first_init_container_is_through", starting(),
       [](api::Pod& pod) { pod.status.initContainerStatuses[0] = terminated("a", 0, "Completed"); },
       "Init:1/3", "0/2"},
      {"a_started_sidecar_counts_as_through", starting(),
       [](api::Pod& pod) {
         pod.status.initContainerStatuses[0] = terminated("a", 0, "Completed");
         pod.status.initContainerStatuses[1] = running("s");
       },
       "Init:2/3", "1/2"},
      {"an_init_container_that_failed", starting(),
       [](api::Pod& pod) { pod.status.initContainerStatuses[0] = terminated("a", 3, "Error"); },
       "Init:Error", "0/2"},
      {"an_init_container_that_failed_without_a_reason", starting(),
       [](api::Pod& pod) { pod.status.initContainerStatuses[0] = terminated("a", 3, ""); },
       "Init:ExitCode:3", "0/2"},
      {"an_init_container_in_backoff", starting(),
       [](api::Pod& pod) {
         pod.status.initContainerStatuses[0] = waiting("a", "CrashLoopBackOff");
       },
       "Init:CrashLoopBackOff", "0/2"},
      {"all_init_containers_through", starting(),
       [](api::Pod& pod) {
         pod.status.initContainerStatuses = {terminated("a", 0, "Completed"), running("s"),
                                             terminated("b", 0, "Completed")};
       },
       "PodInitializing", "1/2"},
  };
}

std::vector<Case> pods_that_end() {
  return {
      {"the_pods_own_reason_comes_before_its_phase", healthy(),
       [](api::Pod& pod) {
         pod.status.phase = "Failed";
         pod.status.reason = "Evicted";
         pod.status.containerStatuses.clear();
       },
       "Evicted", "0/1"},
      {"done", healthy(),
       [](api::Pod& pod) {
         pod.status.phase = "Succeeded";
         pod.status.containerStatuses = {terminated("c", 0, "Completed")};
       },
       "Completed", "0/1"},
      {"failed", healthy(),
       [](api::Pod& pod) {
         pod.status.phase = "Failed";
         pod.status.containerStatuses = {terminated("c", 1, "Error")};
       },
       "Error", "0/1"},
      {"out_of_memory", healthy(),
       [](api::Pod& pod) { pod.status.containerStatuses = {terminated("c", 137, "OOMKilled")}; },
       "OOMKilled", "0/1"},
      {"ended_by_a_signal_without_a_reason", healthy(),
       [](api::Pod& pod) {
         pod.status.containerStatuses = {terminated("c", 137, "")};
         pod.status.containerStatuses[0].state.terminated->signal = 9;
       },
       "Signal:9", "0/1"},
      {"being_deleted", healthy(),
       [](api::Pod& pod) { pod.metadata.deletionTimestamp = api::Time::from_unix_seconds(100); },
       "Terminating", "1/1"},
      {"deleted_and_already_done", healthy(),
       [](api::Pod& pod) {
         pod.metadata.deletionTimestamp = api::Time::from_unix_seconds(100);
         pod.status.phase = "Succeeded";
         pod.status.containerStatuses = {terminated("c", 0, "Completed")};
       },
       "Completed", "0/1"},
  };
}

const auto kSentence = [](const auto& row) { return row.param.sentence; };
INSTANTIATE_TEST_SUITE_P(Runs, StatusColumn, testing::ValuesIn(pods_that_run()), kSentence);
INSTANTIATE_TEST_SUITE_P(Init, StatusColumn, testing::ValuesIn(pods_with_init_containers()),
                         kSentence);
INSTANTIATE_TEST_SUITE_P(Ends, StatusColumn, testing::ValuesIn(pods_that_end()), kSentence);

TEST(RestartsColumn, says_how_often_and_how_long_ago) {
  api::Pod pod = healthy();
  auto& container = pod.status.containerStatuses[0];
  container.restartCount = 3;
  container.lastState.terminated =
      api::ContainerStateTerminated{.finishedAt = api::Time::from_unix_seconds(1000)};
  const Row row = pod_row(pod, {}, WallTime{1120s});
  EXPECT_EQ(row[3], "3 (2m ago)");
}

TEST(RestartsColumn, leaves_out_finished_init_containers_once_the_pod_is_initialized) {
  api::Pod pod = starting();
  pod.status.initContainerStatuses[0].restartCount = 4;
  EXPECT_EQ(summarize(pod).restarts, 4);
  pod.status.initContainerStatuses = {terminated("a", 0, "Completed"), running("s"),
                                      terminated("b", 0, "Completed")};
  pod.status.initContainerStatuses[0].restartCount = 4;
  pod.status.initContainerStatuses[1].restartCount = 2;
  EXPECT_EQ(summarize(pod).restarts, 2);
}

TEST(WideColumns, are_kubectls_and_then_ours) {
  EXPECT_EQ(pod_header({.with_namespace = true, .wide = true}),
            (Row{"NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE",
                 "NOMINATED NODE", "READINESS GATES", "QOS", "PRIORITY"}));
  api::Pod pod = healthy();
  pod.metadata.namespace_ = "default";
  pod.status.podIP = "10.1.0.7";
  pod.status.qosClass = "BestEffort";
  pod.spec.nodeName = "node1";
  EXPECT_EQ(pod_row(pod, {.with_namespace = true, .wide = true}, WallTime{}),
            (Row{"default", "web-node1", "1/1", "Running", "0", "<unknown>", "10.1.0.7", "node1",
                 "<none>", "<none>", "BestEffort", "0"}));
}

TEST(WideColumns, show_how_many_readiness_gates_are_open) {
  api::Pod pod = healthy();
  pod.spec.readinessGates = {{.conditionType = "example.com/a"},
                             {.conditionType = "example.com/b"}};
  pod.status.conditions.push_back(condition("example.com/b", "True"));
  EXPECT_EQ(pod_row(pod, {.wide = true}, WallTime{}).at(8), "1/2");
}

}  // namespace
}  // namespace berth::ctl
