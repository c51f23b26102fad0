// SPDX-License-Identifier: Apache-2.0

// The eviction order, the key that decides it, and which pods are exempt.
#include "eviction/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum RankingKey;

struct Candidate {
  PodValues values{};
  std::optional<PodReading> reading{};
};

struct Ranked {
  std::vector<std::string> names{};
  std::vector<RankingKey> keys{};
  std::vector<std::optional<Exemption>> exempt{};
  std::vector<std::size_t> given_at{};
  std::string victim{};
};

Ranked ranked(const std::vector<Candidate>& candidates, Signal signal,
              FileSystemLayout layout = FileSystemLayout::kSingle,
              const EvictionRules& rules = kRules) {
  std::vector<api::Pod> pods;
  PodReadings readings;
  for (const Candidate& one : candidates) {
    pods.push_back(make_pod(one.values));
    if (one.reading) readings[pods.back().metadata.uid] = *one.reading;
  }
  Ranked out;
  const auto ranking = rank_pods(pointers(pods), readings, signal, layout, rules);
  for (const RankedPod& one : ranking) {
    out.names.push_back(one.pod.name);
    if (one.ahead_by) out.keys.push_back(*one.ahead_by);
    out.exempt.push_back(one.exempt);
    out.given_at.push_back(one.given_at);
  }
  const RankedPod* victim = first_victim(ranking);
  if (victim != nullptr) out.victim = victim->pod.name;
  return out;
}

using Names = std::vector<std::string>;
using Keys = std::vector<RankingKey>;

TEST(MemoryRanking, exceeding_the_request_comes_before_priority_and_that_before_the_amount) {
  const auto order = ranked(
      {{{.name = "within-low", .priority = 0, .memory_request = "1Gi"}, using_memory(900 * kMi)},
       {{.name = "over-high", .priority = 1000}, using_memory(10 * kMi)},
       {{.name = "over-low-little", .priority = 0, .memory_request = "1Gi"},
        using_memory(kGi + kMi)},
       {{.name = "over-low-much", .priority = 0, .memory_request = "1Gi"}, using_memory(2 * kGi)},
       {{.name = "unknown", .priority = 5000}, std::nullopt}},
      kMemoryAvailable);
  EXPECT_EQ(order.names,
            (Names{"unknown", "over-low-much", "over-low-little", "over-high", "within-low"}));
  EXPECT_EQ(order.keys, (Keys{kNoReading, kConsumption, kPriority, kExceedsRequest}));
  EXPECT_EQ(order.victim, "unknown");
}

TEST(Ranking, only_pods_that_have_not_finished_are_candidates) {
  const auto is_candidate = [](const char* phase) {
    api::Pod pod = make_pod({.name = "a"});
    pod.status.phase = phase;
    return may_be_ranked(pod);
  };
  EXPECT_TRUE(is_candidate("Running"));
  EXPECT_TRUE(is_candidate("Pending")) << "its init containers use memory";
  EXPECT_TRUE(is_candidate("")) << "nothing is shown of it yet";
  EXPECT_FALSE(is_candidate("Succeeded"));
  EXPECT_FALSE(is_candidate("Failed"));
  api::Pod terminating = make_pod({.name = "a"});
  terminating.status.phase = "Running";
  terminating.metadata.deletionTimestamp = api::Time::from_unix_seconds(1);
  EXPECT_TRUE(may_be_ranked(terminating)) << "it is still being stopped";
}

TEST(MemoryRanking, using_exactly_the_request_is_not_exceeding_it) {
  const auto order =
      ranked({{{.name = "exactly", .memory_request = "1Gi"}, using_memory(kGi)},
              {{.name = "over", .priority = 9, .memory_request = "1Gi"}, using_memory(kGi + 1)}},
             kAllocatableMemoryAvailable);
  EXPECT_EQ(order.names, (Names{"over", "exactly"}));
}

TEST(MemoryRanking, the_request_is_of_the_whole_pod_where_that_has_one) {
  api::Pod whole = make_pod({.name = "whole", .memory_request = "3Gi"});
  whole.spec.resources = api::ResourceRequirements{};
  whole.spec.resources->requests["memory"] = quantity("1Gi");
  const PodReading reading = using_memory(2 * kGi);
  const PodUse use = pod_use(whole, &reading, kMemoryAvailable, FileSystemLayout::kSingle);
  EXPECT_TRUE(use.exceeds_request);
  EXPECT_EQ(use.consumption.value(), kGi);
}

TEST(DiskRanking, nothing_of_storage_is_requested_where_the_pod_as_a_whole_has_resources) {
  api::Pod whole = make_pod({.name = "whole", .storage_request = "5Gi"});
  whole.spec.resources = api::ResourceRequirements{};
  whole.spec.resources->requests["memory"] = quantity("1Gi");
  whole.spec.resources->requests["ephemeral-storage"] = quantity("5Gi");
  const PodReading reading = using_disk(kGi, 0);
  const PodUse use = pod_use(whole, &reading, kNodeFsAvailable, FileSystemLayout::kSingle);
  EXPECT_TRUE(use.request.is_zero());
  EXPECT_TRUE(use.exceeds_request);
}

TEST(DiskRanking, use_that_64_bits_cannot_hold_is_the_most_that_they_can) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const api::Pod pod = make_pod({.name = "a"});
  const PodReading reading = using_disk(kMost, kMost);
  EXPECT_EQ(pod_use(pod, &reading, kNodeFsAvailable, FileSystemLayout::kSingle).usage.value(),
            kMost);
}

TEST(Ranking, what_is_equal_in_everything_keeps_the_given_order) {
  const auto order = ranked(
      {{{.name = "b"}, using_memory(kMi)}, {{.name = "a"}, using_memory(kMi)}}, kMemoryAvailable);
  EXPECT_EQ(order.names, (Names{"b", "a"}));
  EXPECT_EQ(order.keys, (Keys{kGivenOrder}));
}

TEST(Ranking, is_the_same_in_whatever_order_the_pods_are_given) {
  const std::vector<Candidate> pods = {{{.name = "a"}, std::nullopt},
                                       {{.name = "b"}, using_memory(5 * kMi)},
                                       {{.name = "c"}, using_memory(4 * kMi)},
                                       {{.name = "d", .priority = 1}, using_memory(9 * kMi)},
                                       {{.name = "e", .memory_request = "1Gi"}, using_memory(kMi)}};
  std::vector<std::size_t> given = {0, 1, 2, 3, 4};
  do {
    std::vector<Candidate> candidates;
    for (const std::size_t i : given) candidates.push_back(pods[i]);
    const auto order = ranked(candidates, kMemoryAvailable);
    EXPECT_EQ(order.names, (Names{"a", "b", "c", "d", "e"}));
    EXPECT_EQ(order.keys, (Keys{kNoReading, kConsumption, kPriority, kExceedsRequest}));
    for (std::size_t place = 0; place < pods.size(); ++place)
      EXPECT_EQ(given[order.given_at[place]], place) << "it says where it was given";
  } while (std::ranges::next_permutation(given).found);
}

TEST(DiskRanking, what_counts_depends_on_the_file_system_and_the_layout) {
  // One pod uses disk in its writable layer, the other in logs and a volume.
  std::vector<api::Pod> pods = {make_pod({.name = "layer"}), make_pod({.name = "logs"})};
  pods[1].spec.volumes = {
      {.name = "data", .emptyDir = api::EmptyDirVolumeSource{}},
      {.name = "ram", .emptyDir = api::EmptyDirVolumeSource{.medium = "Memory"}},
      {.name = "huge", .emptyDir = api::EmptyDirVolumeSource{.medium = "HugePages-2Mi"}},
      {.name = "secret", .secret = api::SecretVolumeSource{}}};
  PodReading logs = using_disk(0, 1000);
  logs.volumes = {{.name = "data", .used = {.bytes = 500, .inodes = 5}},
                  {.name = "ram", .used = {.bytes = 7000, .inodes = 7}},
                  {.name = "huge", .used = {.bytes = 8000, .inodes = 8}},
                  {.name = "secret", .used = {.bytes = 9000, .inodes = 9}}};
  const PodReading layer = using_disk(1200, 0, 3);
  struct Case {
    FileSystemLayout layout{};
    Signal signal{};
    std::int64_t layer = 0;
    std::int64_t logs = 0;
  };
  using enum FileSystemLayout;
  const Case cases[] = {
      {kSingle, kNodeFsAvailable, 1200, 1500},
      {kSingle, kImageFsAvailable, 1200, 1500},
      {kSingle, kContainerFsAvailable, 1200, 1500},
      {kDedicatedImageFs, kNodeFsAvailable, 0, 1500},
      {kDedicatedImageFs, kImageFsAvailable, 1200, 0},
      {kDedicatedImageFs, kContainerFsAvailable, 1200, 0},
      {kSplitImageFs, kNodeFsAvailable, 1200, 1500},
      {kSplitImageFs, kImageFsAvailable, 0, 0},
      {kSplitImageFs, kContainerFsAvailable, 1200, 1500},
      {kSingle, kNodeFsInodesFree, 3, 5},
      {kDedicatedImageFs, kNodeFsInodesFree, 0, 5},
      {kDedicatedImageFs, kImageFsInodesFree, 3, 0},
  };
  for (const Case& one : cases) {
    const auto used = [&](const api::Pod& pod, const PodReading& reading) {
      return pod_use(pod, &reading, one.signal, one.layout).usage.value();
    };
    const auto where = std::string(to_string(one.signal));
    EXPECT_EQ(used(pods[0], layer), one.layer) << where;
    EXPECT_EQ(used(pods[1], logs), one.logs) << where;
  }
}

TEST(DiskRanking, volumes_that_lie_on_the_nodes_disk_count_if_their_use_is_known) {
  api::Pod pod = make_pod({.name = "a"});
  pod.spec.volumes = {{.name = "host", .hostPath = api::HostPathVolumeSource{.path = "/srv"}},
                      {.name = "config", .configMap = api::ConfigMapVolumeSource{}},
                      {.name = "unknown", .emptyDir = api::EmptyDirVolumeSource{}}};
  const PodReading reading{.volumes = {{.name = "host", .used = {.bytes = 100}},
                                       {.name = "config", .used = {.bytes = 20}},
                                       {.name = "of-nobody", .used = {.bytes = 3}}}};
  EXPECT_EQ(pod_use(pod, &reading, kNodeFsAvailable, FileSystemLayout::kSingle).usage.value(), 120);
}

TEST(InodeRanking, any_use_exceeds_and_the_request_for_storage_is_taken_off_as_kubernetes_does) {
  const auto order = ranked({{{.name = "many", .storage_request = "1Ki"}, using_disk(0, 0, 900)},
                             {{.name = "few"}, using_disk(0, 0, 10)},
                             {{.name = "none", .priority = -5}, using_disk(0, 0, 0)}},
                            kNodeFsInodesFree);
  EXPECT_EQ(order.names, (Names{"few", "many", "none"}));
  EXPECT_EQ(order.keys, (Keys{kConsumption, kExceedsRequest}));
}

TEST(PidRanking, priority_comes_first_and_then_the_number_of_processes) {
  const auto processes = [](std::int64_t count) { return PodReading{.processes = count}; };
  const auto order = ranked({{{.name = "high-many", .priority = 10}, processes(1000)},
                             {{.name = "high-unknown", .priority = 10}, std::nullopt},
                             {{.name = "low-few", .priority = 1}, processes(1)},
                             {{.name = "low-some", .priority = 1}, processes(50)}},
                            kPidAvailable);
  EXPECT_EQ(order.names, (Names{"low-some", "low-few", "high-unknown", "high-many"}));
  EXPECT_EQ(order.keys, (Keys{kConsumption, kPriority, kNoReading}));
}

TEST(IoRanking, priority_comes_first_and_then_the_stall_that_the_signal_measures) {
  const auto stalled = [](std::int64_t avg10, std::int64_t avg300) {
    return PodReading{.io_pressure = StallReading{.full_avg10 = avg10, .full_avg300 = avg300}};
  };
  const std::vector<Candidate> pods = {{{.name = "high-stalled", .priority = 10}, stalled(9, 9)},
                                       {{.name = "low-idle", .priority = 1}, stalled(0, 0)},
                                       {{.name = "low-now", .priority = 1}, stalled(7, 1)},
                                       {{.name = "low-long", .priority = 1}, stalled(2, 5)}};
  const auto now = ranked(pods, kIoPressureFullAvg10);
  EXPECT_EQ(now.names, (Names{"low-now", "low-long", "low-idle", "high-stalled"}));
  EXPECT_EQ(now.keys, (Keys{kConsumption, kConsumption, kPriority}));
  EXPECT_EQ(ranked(pods, kAllocatableIoPressureFullAvg300).names,
            (Names{"low-long", "low-now", "low-idle", "high-stalled"}));
}

TEST(IoRanking, where_no_stalls_of_pods_are_counted_priority_alone_decides) {
  const auto order = ranked({{{.name = "high", .priority = 10}, using_memory(kGi)},
                             {{.name = "low-little", .priority = 1}, using_memory(kMi)},
                             {{.name = "low-much", .priority = 1}, using_memory(kGi)}},
                            kIoPressureSomeAvg60);
  EXPECT_EQ(order.names, (Names{"low-little", "low-much", "high"}));
  EXPECT_EQ(order.keys, (Keys{kGivenOrder, kPriority}));
}

TEST(Exemptions, system_priority_always_and_static_pods_by_the_kubelets_rule_only) {
  api::Pod system = make_pod({.name = "system", .priority = 2'000'000'000});
  api::Pod just_below = make_pod({.name = "below", .priority = 1'999'999'999});
  api::Pod file = make_pod({.name = "file"});
  file.metadata.annotations["kubernetes.io/config.source"] = "file";
  api::Pod mirror = make_pod({.name = "mirror"});
  mirror.metadata.annotations["kubernetes.io/config.mirror"] = "x";
  const EvictionRules kubelet{.static_pods_are_critical = true};
  EXPECT_EQ(critical_exemption(system, kRules), Exemption::kSystemPriority);
  EXPECT_EQ(critical_exemption(just_below, kubelet), std::nullopt);
  EXPECT_EQ(critical_exemption(file, kRules), std::nullopt);
  EXPECT_EQ(critical_exemption(file, kubelet), Exemption::kStaticPod);
  EXPECT_EQ(critical_exemption(mirror, kRules), std::nullopt);
  EXPECT_EQ(critical_exemption(mirror, kubelet), Exemption::kMirrorPod);
}

TEST(EvictionRules, have_no_default_for_static_pods) {
  static_assert(!std::is_default_constructible_v<EvictionRules>);
  static_assert(!std::is_default_constructible_v<EvictionConfig>);
  const EvictionRules stated{.static_pods_are_critical = true};
  EXPECT_TRUE(stated.static_pods_are_critical);
}

TEST(Exemptions, a_critical_pod_keeps_its_place_and_the_next_one_goes) {
  const auto order =
      ranked({{{.name = "small"}, using_memory(kMi)},
              {{.name = "system", .priority = 2'000'001'000}, using_memory(4 * kGi)}},
             kMemoryAvailable);
  EXPECT_EQ(order.names, (Names{"small", "system"}));
  EXPECT_EQ(order.victim, "small");
  EXPECT_EQ(order.exempt[1], Exemption::kSystemPriority);
}

TEST(EvictWithinRequests, false_spares_whoever_is_within_or_is_not_known_to_be_beyond) {
  const EvictionRules sparing{.static_pods_are_critical = false, .evict_within_requests = false};
  const auto order = ranked({{{.name = "unknown"}, std::nullopt},
                             {{.name = "within", .memory_request = "1Gi"}, using_memory(kGi)},
                             {{.name = "over"}, using_memory(kMi)}},
                            kMemoryAvailable, FileSystemLayout::kSingle, sparing);
  EXPECT_EQ(order.names, (Names{"unknown", "over", "within"}));
  EXPECT_EQ(order.exempt[0], Exemption::kUsageUnknown);
  EXPECT_EQ(order.exempt[1], std::nullopt);
  EXPECT_EQ(order.exempt[2], Exemption::kWithinRequests);
  EXPECT_EQ(order.victim, "over");
}

}  // namespace
}  // namespace berth::eviction
