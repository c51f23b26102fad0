#include "ctl/describe_pod.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;
using testing::Test;

PodStory crash_loop() {
  PodStory story;
  api::Pod& pod = story.pod;
  pod.metadata.name = "crash-node1";
  pod.metadata.namespace_ = "default";
  pod.metadata.uid = "abc";
  pod.metadata.labels = {{"app", "crash"}, {"tier", "back"}};
  pod.spec.nodeName = "node1";
  pod.spec.containers = {api::Container{.name = "c", .image = "busybox:1", .command = {"false"}}};
  pod.status.phase = "Running";
  pod.status.qosClass = "BestEffort";
  api::ContainerStatus status{.name = "c", .restartCount = 2};
  status.state.waiting = api::ContainerStateWaiting{.reason = "CrashLoopBackOff",
                                                    .message = "back-off 10s restarting"};
  status.lastState.terminated = api::ContainerStateTerminated{
      .exitCode = 1, .reason = "Error", .startedAt = api::Time::from_unix_seconds(0)};
  pod.status.containerStatuses = {status};
  pod.status.conditions = {
      api::PodCondition{.type = "Ready", .status = "False", .reason = "ContainersNotReady"}};
  story.decisions = {{"03:12:07", "c", "wait", "backoff of 10 s after exit code 1"}};
  api::Event event;
  event.type = "Warning";
  event.reason = "BackOff";
  event.message = "Back-off restarting failed container c";
  event.source.component = "berthd";
  event.count = 3;
  event.firstTimestamp = api::Time::from_unix_seconds(100);
  event.lastTimestamp = api::Time::from_unix_seconds(190);
  story.events = {event};
  story.problems = {"crash.yaml:7:3: spec.containers[0].image: Required value"};
  return story;
}

TEST(DescribePod, keeps_kubectls_sections_in_kubectls_order_and_ends_with_decisions) {
  const std::string text = describe_pod(crash_loop(), WallTime{200s});
  std::size_t at = 0;
  for (const char* section :
       {"Name:", "Namespace:", "Priority:", "Node:", "Start Time:", "Labels:", "Annotations:",
        "Status:", "IP:", "Containers:", "Conditions:", "Volumes:", "QoS Class:", "Node-Selectors:",
        "Tolerations:", "Manifest Problems:", "Events:", "Decisions:"}) {
    const std::size_t found = text.find(std::string("\n") + section, at == 0 ? 0 : at);
    if (at == 0 && text.starts_with(section)) continue;
    ASSERT_NE(found, std::string::npos) << section << " is missing or out of order in\n" << text;
    at = found;
  }
}

TEST(DescribePod, shows_state_and_last_state_of_a_container) {
  const std::string text = describe_pod(crash_loop(), WallTime{200s});
  EXPECT_NE(text.find("State:          Waiting"), std::string::npos) << text;
  EXPECT_NE(text.find("CrashLoopBackOff"), std::string::npos);
  EXPECT_NE(text.find("Last State:     Terminated"), std::string::npos) << text;
  EXPECT_NE(text.find("Thu, 01 Jan 1970 00:00:00 +0000"), std::string::npos);
  EXPECT_NE(text.find("Restart Count:  2"), std::string::npos) << text;
}

TEST(DescribePod, folds_repeated_events) {
  const std::string text = describe_pod(crash_loop(), WallTime{200s});
  EXPECT_NE(text.find("10s (x3 over 100s)"), std::string::npos) << text;
}

TEST(DescribePod, tells_by_when_a_pod_that_is_being_deleted_ends) {
  PodStory story = crash_loop();
  story.pod.metadata.deletionTimestamp = api::Time::from_unix_seconds(230);
  story.pod.metadata.deletionGracePeriodSeconds = 30;
  const std::string text = describe_pod(story, WallTime{200s});
  EXPECT_NE(text.find("Terminating (ends within 30s)"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::ctl
