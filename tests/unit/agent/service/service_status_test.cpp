// SPDX-License-Identifier: Apache-2.0

#include "agent/service/service_status.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace berth::agent {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

api::ContainerStatus running() {
  return {.state = {.running = api::ContainerStateRunning{}}};
}

api::ContainerStatus waiting(const char* reason) {
  return {.state = {.waiting = api::ContainerStateWaiting{.reason = reason}}};
}

lifecycle::PodPtr pod(api::PodStatus status, bool deleted = false) {
  api::Pod pod;
  if (deleted) pod.metadata.deletionTimestamp = api::Time{};
  pod.status = std::move(status);
  return std::make_shared<const api::Pod>(std::move(pod));
}

eviction::JudgedThreshold memory(std::int64_t available, std::int64_t limit,
                                 eviction::Signal signal = eviction::Signal::kMemoryAvailable) {
  eviction::JudgedThreshold judged;
  judged.threshold.signal = signal;
  judged.observation = eviction::Observation{.value = api::Quantity::from_int(available * kMiB),
                                             .capacity = api::Quantity::from_int(1100 * kMiB)};
  judged.limit = api::Quantity::from_int(limit * kMiB);
  return judged;
}

TEST(ServiceStatusTest, every_pod_is_counted_once_by_what_it_does) {
  const ServiceFacts facts{
      .pods = {
          pod({.phase = "Running", .containerStatuses = {running(), running()}}),
          pod({.phase = "Running", .containerStatuses = {running(), waiting("Error")}}),
          pod({.phase = "Running", .containerStatuses = {running(), waiting("CrashLoopBackOff")}}),
          pod({.phase = "Pending",
               .initContainerStatuses = {waiting("ImagePullBackOff")},
               .containerStatuses = {waiting("PodInitializing")}}),
          pod({.phase = "Pending", .containerStatuses = {waiting("ContainerCreating")}}), pod({}),
          pod({.phase = "Running", .containerStatuses = {waiting("CrashLoopBackOff")}}, true),
          pod({.phase = "Succeeded"}, true), pod({.phase = "Failed"})}};
  const systemd::ServiceStatus expected{
      .running = 1, .backing_off = 2, .starting = 3, .ending = 1, .finished = 2};
  EXPECT_EQ(service_status(facts, {}), expected);
}

TEST(ServiceStatusTest, memory_is_compared_with_the_use_at_the_nearest_threshold) {
  const struct {
    std::vector<eviction::JudgedThreshold> thresholds{};
    std::optional<int> percent{};
  } cases[] = {
      {{}, std::nullopt},
      {{memory(440, 100)}, 34},
      {{memory(440, 100), memory(440, 300)}, 17},
      {{memory(100, 100)}, 0},
      {{memory(50, 100)}, -5},
      {{memory(440, 1100)}, std::nullopt},
      {{memory(440, 100, eviction::Signal::kNodeFsAvailable)}, std::nullopt},
  };
  for (const auto& [thresholds, percent] : cases)
    EXPECT_EQ(service_status({.thresholds = thresholds}, {}).memory_below_threshold, percent);
}

TEST(ServiceStatusTest, a_figure_that_moves_a_little_stays_as_it_was_said) {
  const auto figure = [](int available, std::optional<int> shown) {
    return *service_status({.thresholds = {memory(available, 100)}},
                           {.memory_below_threshold = shown})
                .memory_below_threshold;
  };
  EXPECT_EQ(figure(440, std::nullopt), 34);
  EXPECT_EQ(figure(440, 36), 36);
  EXPECT_EQ(figure(440, 32), 32);
  EXPECT_EQ(figure(440, 37), 34);
  EXPECT_EQ(figure(100, 1), 0) << "the threshold is met now";
  EXPECT_EQ(figure(110, 0), 1) << "it is not any more";
}

TEST(ServiceStatusTest, what_is_waited_for_and_pressure_are_passed_on) {
  const auto status = service_status({.waits_for = {"a"}, .pressure = {"DiskPressure"}}, {});
  EXPECT_EQ(systemd::status_line(status), "waiting for a, DiskPressure");
}

}  // namespace
}  // namespace berth::agent
