// SPDX-License-Identifier: Apache-2.0

// Pods as they are shown, for tests of which changes are allowed. Times are seconds since 1970.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/pod.hpp"
#include "tests/integration/shown_changes.hpp"

namespace berth::integration {

inline std::string reported(const Differences& found) {
  std::string all;
  for (const auto& difference : found) all += difference + "\n";
  return all;
}

// There are as many differences as texts, and each contains its text.
inline testing::AssertionResult reports(const Differences& found,
                                        const std::vector<std::string>& texts) {
  const bool so = std::ranges::equal(found, texts, [](const auto& difference, const auto& text) {
    return difference.contains(text);
  });
  if (so) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "reported:\n" << reported(found);
}

inline api::Time time_at(std::int64_t second) {
  return api::Time::from_unix_seconds(second);
}

inline const WallTime kNow = time_at(110).at;

inline api::ContainerStatus& container(api::Pod& pod) {
  return pod.status.containerStatuses.front();
}

inline api::PodCondition& condition(api::Pod& pod, const std::string& type) {
  return *std::ranges::find(pod.status.conditions, type, &api::PodCondition::type);
}

inline api::ContainerStateTerminated ended(const std::string& id, std::int64_t second, int code) {
  return {.exitCode = code,
          .reason = code == 0 ? "Completed" : "Error",
          .startedAt = time_at(second - 1),
          .finishedAt = time_at(second),
          .containerID = id};
}

inline api::Pod running_pod() {
  api::Pod pod;
  pod.metadata.name = "a-node1";
  pod.metadata.uid = "u";
  pod.spec.containers = {api::Container{.name = "c"}};
  pod.status.phase = "Running";
  pod.status.startTime = time_at(1);
  pod.status.podIP = "10.0.0.2";
  for (const char* type : {"Initialized", "Ready", "ContainersReady"})
    pod.status.conditions.push_back(
        {.type = type, .status = "True", .lastTransitionTime = time_at(2)});
  api::ContainerStatus status{.name = "c", .ready = true, .containerID = "x://a", .started = true};
  status.state.running = api::ContainerStateRunning{.startedAt = time_at(2)};
  pod.status.containerStatuses = {status};
  return pod;
}

// The container ended at 100 and waits for restart `restarts` + 1.
inline api::Pod waiting_pod(int restarts) {
  api::Pod pod = running_pod();
  for (const char* type : {"Ready", "ContainersReady"}) condition(pod, type).status = "False";
  auto& status = container(pod);
  status = {.name = "c", .restartCount = restarts, .containerID = "x://a", .started = false};
  status.state.waiting = api::ContainerStateWaiting{
      .reason = "CrashLoopBackOff",
      .message = fmt::format("back-off {}s restarting failed container=c pod=a-node1_default(u)",
                             10 << (restarts - 1))};
  status.lastState.terminated = ended("x://a", 100, 1);
  return pod;
}

// The same pod with its container started again.
inline api::Pod restarted(api::Pod pod, std::int64_t second) {
  auto& status = container(pod);
  ++status.restartCount;
  status.containerID = "x://b";
  status.state = {};
  status.state.running = api::ContainerStateRunning{.startedAt = time_at(second)};
  return pod;
}

// The pod is being stopped, and its container may run until 130.
inline api::Pod ending_pod() {
  api::Pod pod = running_pod();
  pod.metadata.deletionTimestamp = time_at(130);
  pod.metadata.deletionGracePeriodSeconds = 30;
  return pod;
}

inline api::Pod over_pod() {
  api::Pod pod = running_pod();
  pod.status.phase = "Succeeded";
  for (const char* type : {"Ready", "ContainersReady"}) condition(pod, type).status = "False";
  auto& status = container(pod);
  status.ready = false;
  status.started = false;
  status.state = {};
  status.state.terminated = ended("x://a", 100, 0);
  return pod;
}

}  // namespace berth::integration
