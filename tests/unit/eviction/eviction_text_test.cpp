// SPDX-License-Identifier: Apache-2.0

// An evicted pod's status and event, its grace period, and the effect of local storage limits.
#include "eviction/eviction.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "eviction/local_storage.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;

std::vector<JudgedThreshold> judged(const std::vector<Threshold>& thresholds,
                                    const NodeReadings& node) {
  return judge({}, thresholds, observe(node), std::chrono::minutes(5), steady(0)).thresholds;
}

const NodeReadings kShort{.memory = memory_left(97 * kMi, 0), .node_fs = disk_left(kGi, 0)};

TEST(KillTimeout, is_half_as_long_again_as_the_grace_period_and_ten_seconds_at_least) {
  EXPECT_EQ(kill_timeout(0), std::chrono::seconds(10));
  EXPECT_EQ(kill_timeout(1), std::chrono::seconds(10));
  EXPECT_EQ(kill_timeout(6), std::chrono::seconds(10));
  EXPECT_EQ(kill_timeout(7), std::chrono::milliseconds(10'500));
  EXPECT_EQ(kill_timeout(30), std::chrono::seconds(45));
  EXPECT_EQ(kill_timeout(-1), std::chrono::seconds(10));
}

TEST(EvictionText, names_the_resource_the_threshold_and_the_containers_that_use_too_much) {
  api::Pod pod = make_pod({.name = "web", .memory_request = "64Mi"});
  pod.spec.containers.push_back({.name = "idle"});
  pod.spec.initContainers = {{.name = "setup"}};
  PodReading reading = using_memory(100 * kMi);
  reading.containers.push_back({.name = "idle", .working_set = 0});
  reading.containers.push_back({.name = "setup", .working_set = 3});
  reading.containers.push_back({.name = "no-longer-in-the-spec", .working_set = kGi});
  const auto text = eviction_text(pod, &reading, StarvedResource::kMemory,
                                  judged({threshold(kMemoryAvailable, "100Mi")}, kShort));
  EXPECT_EQ(text.message,
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 97Mi. "
            "Container c was using 100Mi, request is 64Mi, has larger consumption of memory. "
            "Container setup was using 3, request is 0, has larger consumption of memory. ");
  EXPECT_EQ(text.annotations,
            (std::map<std::string, std::string>{{"offending_containers", "c,setup"},
                                                {"offending_containers_usage", "100Mi,3"},
                                                {"starved_resource", "memory"}}));
}

TEST(EvictionText, without_statistics_it_ends_after_the_threshold_and_there_are_no_annotations) {
  const auto text = eviction_text(
      make_pod({.name = "web"}), nullptr, StarvedResource::kEphemeralStorage,
      judged({threshold(kMemoryAvailable, "100Mi"), threshold(kNodeFsAvailable, "2Gi")}, kShort));
  EXPECT_EQ(text.message,
            "The node was low on resource: ephemeral-storage. Threshold quantity: 2Gi, available: "
            "1Gi. ");
  EXPECT_TRUE(text.annotations.empty());
}

TEST(EvictionText, of_disk_a_container_counts_only_if_layer_and_logs_are_known) {
  const api::Pod pod = make_pod({.name = "web", .storage_request = "1Ki"});
  // Each of the two exceeds the request by itself.
  PodReading reading = using_disk(2048, 3072);
  const auto sentence = [&] {
    return eviction_text(pod, &reading, StarvedResource::kEphemeralStorage, {}).message;
  };
  EXPECT_EQ(sentence(),
            "The node was low on resource: ephemeral-storage. Container c was using 5Ki, request "
            "is 1Ki, has larger consumption of ephemeral-storage. ");
  const std::string nobody = "The node was low on resource: ephemeral-storage. ";
  reading.containers[0].logs->bytes.reset();
  EXPECT_EQ(sentence(), nobody);
  reading.containers[0].logs.reset();
  EXPECT_EQ(sentence(), nobody);
  reading = using_disk(2048, 3072);
  reading.containers[0].rootfs.reset();
  EXPECT_EQ(sentence(), nobody);
}

TEST(EvictionText, of_use_that_64_bits_cannot_hold_names_the_most_that_they_can) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const PodReading reading = using_disk(kMost, kMost);
  const auto text =
      eviction_text(make_pod({.name = "web"}), &reading, StarvedResource::kEphemeralStorage, {});
  EXPECT_EQ(text.annotations.at("offending_containers_usage"), "9223372036854775807");
}

TEST(EvictionText, a_request_of_the_whole_pod_is_named_whatever_the_pod_uses) {
  api::Pod pod = make_pod({.name = "web", .memory_request = "1Gi"});
  pod.spec.resources = api::ResourceRequirements{};
  pod.spec.resources->requests["memory"] = quantity("512Mi");
  PodReading reading = using_memory(kMi);
  auto text = eviction_text(pod, &reading, StarvedResource::kMemory, {});
  EXPECT_EQ(text.message,
            "The node was low on resource: memory. Pod web was using 1Mi, request is 512Mi, has "
            "larger consumption of memory. ");
  EXPECT_EQ(text.annotations["offending_pod"], "web");
  EXPECT_EQ(text.annotations["offending_pod_usage"], "1Mi");
  reading.memory.reset();
  text = eviction_text(pod, &reading, StarvedResource::kMemory, {});
  EXPECT_FALSE(text.annotations.contains("offending_pod")) << "its memory is not known";
}

TEST(EvictionText, of_berths_own_signals_speaks_of_the_signal) {
  const NodeReadings stalled{
      .own = {.memory_pressure = StallReading{.full_avg10 = 123'400, .time = wall(0)}}};
  const auto text =
      eviction_text(make_pod({.name = "web"}), nullptr, StarvedResource::kMemory,
                    judged({{.signal = kMemoryPressureFullAvg10, .value = Share{0.1F}}}, stalled));
  EXPECT_EQ(text.message,
            "The node was low on resource: memory. Threshold of memory.pressure.full.avg10: 10%, "
            "observed: 12.34%. ");
}

TEST(Grace, of_a_hard_threshold_is_a_second_and_of_a_soft_one_the_shorter_of_two) {
  const Threshold hard = threshold(kMemoryAvailable, "1Gi");
  const Threshold soft = threshold(kMemoryAvailable, "1Gi", std::chrono::seconds(30));
  api::Pod pod = make_pod({.name = "web"});
  EXPECT_EQ(grace_period_override(pod, soft, 60), 60) << "the pod states none";
  for (const auto& [own, most, expected] :
       {std::tuple{10, 30, 10}, std::tuple{90, 30, 30}, std::tuple{10, 0, 0}}) {
    pod.spec.terminationGracePeriodSeconds = own;
    EXPECT_EQ(grace_period_override(pod, soft, most), expected);
    EXPECT_EQ(grace_period_override(pod, hard, most), 1);
  }
}

TEST(PressureEviction, has_the_condition_that_controllers_look_for) {
  api::Pod pod = make_pod({.name = "web"});
  pod.metadata.generation = 3;
  const auto quoted = judged({threshold(kMemoryAvailable, "100Mi")}, kShort);
  const Eviction eviction = pressure_eviction(pod, nullptr, quoted, 0);
  EXPECT_EQ(eviction.phase, "Failed");
  EXPECT_EQ(eviction.reason, "Evicted");
  ASSERT_TRUE(eviction.condition);
  EXPECT_EQ(eviction.condition->type, "DisruptionTarget");
  EXPECT_EQ(eviction.condition->status, "True");
  EXPECT_EQ(eviction.condition->reason, "TerminationByKubelet");
  EXPECT_EQ(eviction.condition->message, eviction.message);
  EXPECT_EQ(eviction.condition->observedGeneration, 3);
  EXPECT_EQ(metric_signal(eviction), "memory.available");
}

// --- local storage limits ---

api::Pod with_empty_dir(const char* limit, const char* medium = "") {
  api::Pod pod = make_pod({.name = "web"});
  pod.spec.volumes = {
      {.name = "scratch",
       .emptyDir = api::EmptyDirVolumeSource{.medium = medium, .sizeLimit = quantity(limit)}}};
  return pod;
}

PodReading with_volume(std::optional<std::int64_t> bytes) {
  return {.volumes = {{.name = "scratch", .used = {.bytes = bytes}}}};
}

std::vector<Eviction> evictions(const api::Pod& pod, const PodReading& reading,
                                FileSystemLayout layout = FileSystemLayout::kSingle) {
  return local_storage_evictions({&pod}, {{pod.metadata.uid, reading}}, layout, kRules);
}

TEST(LocalStorage, an_empty_dir_may_hold_its_limit_and_no_more) {
  const api::Pod pod = with_empty_dir("1Mi");
  EXPECT_TRUE(evictions(pod, with_volume(kMi)).empty());
  const auto found = evictions(pod, with_volume(kMi + 1));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].phase, "Failed");
  EXPECT_EQ(found[0].reason, "Evicted");
  EXPECT_EQ(found[0].message, "Usage of EmptyDir volume \"scratch\" exceeds the limit \"1Mi\". ");
  EXPECT_EQ(found[0].grace_period_override, 1);
  EXPECT_FALSE(found[0].condition);
  EXPECT_TRUE(found[0].annotations.empty());
  EXPECT_EQ(metric_signal(found[0]), "emptydirfs.limit");
}

TEST(LocalStorage, a_volume_of_unknown_use_or_without_a_limit_is_passed_over_and_memory_counts) {
  EXPECT_TRUE(evictions(with_empty_dir("1Mi"), with_volume(std::nullopt)).empty());
  EXPECT_TRUE(evictions(with_empty_dir("0"), with_volume(kGi)).empty());
  EXPECT_EQ(evictions(with_empty_dir("1Mi", "Memory"), with_volume(kGi)).size(), 1U);
}

TEST(LocalStorage, a_pod_has_the_limits_of_its_containers_in_sum) {
  api::Pod pod = make_pod({.name = "web"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Gi");
  pod.spec.containers.push_back({.name = "d"});
  pod.spec.containers[1].resources.limits["ephemeral-storage"] = quantity("1Gi");
  EXPECT_TRUE(evictions(pod, {.ephemeral_storage = 2 * kGi}).empty());
  const auto found = evictions(pod, {.ephemeral_storage = 2 * kGi + 1});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. ");
  EXPECT_EQ(metric_signal(found[0]), "ephemeralpodfs.limit");
}

TEST(LocalStorage, a_containers_writable_layer_counts_only_where_it_is_on_the_nodes_disk) {
  api::Pod pod = make_pod({.name = "web"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Gi");
  PodReading reading = using_disk(kGi, 1);
  const auto found = evictions(pod, reading);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "Container c exceeded its local ephemeral storage limit \"1Gi\". ");
  EXPECT_EQ(metric_signal(found[0]), "ephemeralcontainerfs.limit");
  EXPECT_TRUE(evictions(pod, reading, FileSystemLayout::kDedicatedImageFs).empty());
  EXPECT_TRUE(evictions(pod, reading, FileSystemLayout::kSplitImageFs).empty());
  reading.containers[0].logs->bytes = kGi + 1;
  EXPECT_EQ(evictions(pod, reading, FileSystemLayout::kSplitImageFs).size(), 1U);
}

TEST(LocalStorage, of_a_container_0_is_no_limit) {
  api::Pod pod = make_pod({.name = "web"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("0");
  pod.spec.containers.push_back({.name = "d"});
  pod.spec.containers[1].resources.limits["ephemeral-storage"] = quantity("1Gi");
  PodReading reading = using_disk(0, kMi);
  reading.ephemeral_storage = kMi;
  EXPECT_TRUE(evictions(pod, reading).empty()) << "the pod is within the sum of the two";
}

TEST(LocalStorage, of_an_init_container_a_limit_counts_for_the_pods_only) {
  api::Pod pod = make_pod({.name = "web"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("2Gi");
  pod.spec.initContainers = {{.name = "setup"}};
  pod.spec.initContainers[0].resources.limits["ephemeral-storage"] = quantity("1Gi");
  PodReading reading{.ephemeral_storage = kGi + 1,
                     .containers = {{.name = "setup", .logs = UsedSpace{.bytes = kGi + 1}}}};
  EXPECT_TRUE(evictions(pod, reading).empty());
  pod.spec.initContainers[0].resources.limits["ephemeral-storage"] = quantity("3Gi");
  reading.ephemeral_storage = 3 * kGi;
  EXPECT_TRUE(evictions(pod, reading).empty());
  reading.ephemeral_storage = 3 * kGi + 1;
  EXPECT_EQ(evictions(pod, reading).size(), 1U);
}

TEST(LocalStorage,
     of_several_limits_the_volumes_counts_before_the_pods_and_that_before_a_containers) {
  api::Pod pod = with_empty_dir("1Mi");
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Gi");
  PodReading reading = using_disk(kGi, kGi);
  reading.ephemeral_storage = 2 * kGi;
  const auto limit = [&] { return std::string(metric_signal(evictions(pod, reading).at(0))); };
  EXPECT_EQ(limit(), "ephemeralpodfs.limit");
  reading.volumes = with_volume(kGi).volumes;
  EXPECT_EQ(limit(), "emptydirfs.limit");
  EXPECT_EQ(evictions(pod, reading).size(), 1U) << "a pod goes once";
}

TEST(LocalStorage, use_that_64_bits_cannot_hold_exceeds_a_limit) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  api::Pod pod = make_pod({.name = "web"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Gi");
  EXPECT_EQ(evictions(pod, using_disk(kMost, kMost)).size(), 1U);
}

TEST(PressureEvictionDeathTest, needs_a_threshold_that_drives_it) {
  EXPECT_DEATH(std::ignore = pressure_eviction(make_pod({.name = "web"}), nullptr, {}, 0),
               "a threshold drives an eviction by pressure");
}

TEST(LocalStorage, critical_pods_are_spared) {
  api::Pod pod = with_empty_dir("1Mi");
  pod.spec.priority = 2'000'000'000;
  EXPECT_TRUE(evictions(pod, with_volume(kGi)).empty());
}

}  // namespace
}  // namespace berth::eviction
