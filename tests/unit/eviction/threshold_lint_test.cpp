// SPDX-License-Identifier: Apache-2.0

// Settings that are allowed but rarely intended.
#include "eviction/threshold_lint.hpp"

#include <gtest/gtest.h>

#include <string>

#include "eviction/threshold_config.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum LintKind;
using std::chrono::seconds;

// A set of thresholds in which nothing is missing.
std::vector<Threshold> sound() {
  return {threshold(kMemoryAvailable, "100Mi"), threshold(kNodeFsAvailable, "10Gi"),
          threshold(kPidAvailable, "1k")};
}

std::vector<LintKind> kinds(const LintInput& input) {
  std::vector<LintKind> out;
  for (const LintFinding& finding : lint_thresholds(input)) out.push_back(finding.kind);
  return out;
}

std::vector<LintKind> beside_sound(const Threshold& more, const Observations& now = {}) {
  auto thresholds = sound();
  thresholds.push_back(more);
  return kinds({.thresholds = thresholds, .now = now});
}

using Kinds = std::vector<LintKind>;

TEST(Lint, says_nothing_of_a_sound_configuration) {
  EXPECT_EQ(kinds({.thresholds = sound()}), Kinds{});
  EXPECT_EQ(beside_sound(threshold(kMemoryAvailable, "300Mi", seconds(30))), Kinds{});
}

TEST(Lint, names_what_is_missing) {
  EXPECT_EQ(kinds({}), (Kinds{kNoHardMemory, kNoHardDisk, kNoPids}));
  EXPECT_EQ(
      kinds({.thresholds = {threshold(kMemoryAvailable, "1Gi", seconds(30)),
                            threshold(kImageFsInodesFree, "1k"), threshold(kPidAvailable, "1k")}}),
      Kinds{kNoHardMemory});
}

TEST(Lint, says_of_kubernetes_defaults_that_images_go_too_late_and_processes_are_not_watched) {
  const auto defaults = parse_thresholds({.evictionHard = default_eviction_hard()});
  const auto found = lint_thresholds({.thresholds = *defaults});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, kImageGcTooLate);
  EXPECT_EQ(found[0].message,
            "imagefs.available<15% is met no later than imageGCHighThresholdPercent 85: pods are "
            "evicted before unused images are collected");
  EXPECT_EQ(found[1].kind, kNoPids);
  EXPECT_EQ(kinds({.thresholds = *defaults, .image_gc_high_percent = 80}), Kinds{kNoPids});
}

TEST(Lint, names_soft_thresholds_that_never_act_as_such) {
  EXPECT_EQ(beside_sound(threshold(kMemoryAvailable, "100Mi", seconds(30))),
            Kinds{kSoftNotBeforeHard});
  const Threshold share{
      .signal = kNodeFsAvailable, .value = Share{0.05F}, .grace_period = seconds(9)};
  EXPECT_EQ(beside_sound(share), Kinds{}) << "of how much is not known";
  EXPECT_EQ(beside_sound(share, observe({.node_fs = disk_left(50 * kGi, 0)})),
            Kinds{kSoftNotBeforeHard});
}

TEST(Lint, names_soft_thresholds_without_grace_by_where_they_were_configured) {
  ThresholdSettings settings{.evictionHard = {{"memory.available", "100Mi"},
                                              {"nodefs.available", "10Gi"},
                                              {"pid.available", "1k"}},
                             .evictionSoft = {{"memory.available", "300Mi"}},
                             .evictionSoftGracePeriod = {{"memory.available", "0s"}},
                             .enforce_pods_allocatable = true};
  const auto found = lint_thresholds({.thresholds = *parse_thresholds(settings)});
  ASSERT_EQ(found.size(), 1U) << "what it implies for the pods' part is not another one";
  EXPECT_EQ(found[0].kind, kSoftWithoutGrace);
  EXPECT_EQ(found[0].threshold->signal, kMemoryAvailable);
  settings.evictionHard.erase("memory.available");
  EXPECT_EQ(kinds({.thresholds = *parse_thresholds(settings)}), Kinds{kSoftWithoutGrace})
      << "there need not be a hard one";
}

TEST(Lint, compares_shares_with_image_collection_as_they_are_configured) {
  for (std::int32_t percent = 1; percent < 100; ++percent) {
    auto parsed =
        parse_thresholds({.evictionHard = {{"imagefs.available", std::to_string(percent) + "%"}}});
    auto thresholds = sound();
    thresholds.push_back(parsed->front());
    const auto found = [&](std::int32_t high) {
      return kinds({.thresholds = thresholds, .image_gc_high_percent = high});
    };
    EXPECT_EQ(found(100 - percent), Kinds{kImageGcTooLate}) << percent;
    EXPECT_EQ(found(100 - percent - 1), Kinds{}) << percent;
  }
}

TEST(Lint, names_stalls_that_are_met_always_or_never) {
  const auto of_stall = [](float share) {
    return beside_sound({.signal = kMemoryPressureFullAvg10, .value = Share{share}});
  };
  EXPECT_EQ(of_stall(0.0F), Kinds{kMetByAnyStall});
  EXPECT_EQ(of_stall(0.1F), Kinds{});
  EXPECT_EQ(of_stall(1.0F), Kinds{kNeverMet});
}

TEST(Lint, a_threshold_on_waits_for_disks_is_none_on_their_space) {
  EXPECT_EQ(kinds({.thresholds = {threshold(kMemoryAvailable, "100Mi"),
                                  threshold(kPidAvailable, "1k"),
                                  {.signal = kIoPressureFullAvg10, .value = Share{0.5F}}}}),
            Kinds{kNoHardDisk});
}

TEST(Lint, names_thresholds_that_are_never_met_or_already_are) {
  EXPECT_EQ(beside_sound({.signal = kImageFsAvailable, .value = Share{0.0F}}), Kinds{kNeverMet});
  const auto found = lint_thresholds(
      {.thresholds = sound(), .now = observe({.memory = memory_left(90 * kMi, 0)})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, kMetNow);
  EXPECT_EQ(found[0].message, "memory.available<100Mi is met at this moment: 90Mi is left");
  EXPECT_EQ(found[0].threshold, threshold(kMemoryAvailable, "100Mi"));
}

}  // namespace
}  // namespace berth::eviction
