// SPDX-License-Identifier: Apache-2.0

// The grammar of thresholds, error messages in the kubelet's words, defaults.
#include "eviction/threshold_config.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "eviction/float_text.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using std::chrono::seconds;

std::string problem_of(const ThresholdSettings& settings) {
  const auto parsed = parse_thresholds(settings);
  return parsed ? "" : parsed.error().front().field + ": " + parsed.error().front().message;
}

TEST(Thresholds, what_is_refused_is_refused_in_the_kubelets_words) {
  struct Case {
    ThresholdSettings settings{};
    const char* problem = "";
  };
  const Case cases[] = {
      {{.evictionHard = {{"memory.free", "1Gi"}}},
       "evictionHard: unsupported eviction signal memory.free"},
      {{.evictionHard = {{"Memory.available", "1Gi"}}},
       "evictionHard: unsupported eviction signal Memory.available"},
      {{.evictionHard = {{"memory.available", "0"}}},
       "evictionHard: eviction threshold memory.available must be positive: 0"},
      {{.evictionHard = {{"memory.available", "-1Gi"}}},
       "evictionHard: eviction threshold memory.available must be positive: -1Gi"},
      {{.evictionHard = {{"nodefs.available", "-1%"}}},
       "evictionHard: eviction percentage threshold nodefs.available must be >= 0%: -1%"},
      {{.evictionHard = {{"nodefs.available", "101%"}}},
       "evictionHard: eviction percentage threshold nodefs.available must be <= 100%: 101%"},
      {{.evictionHard = {{"nodefs.available", "5 %"}}},
       "evictionHard: strconv.ParseFloat: parsing \"5 \": invalid syntax"},
      {{.evictionSoft = {{"memory.available", "1Gi"}}},
       "evictionSoft: grace period must be specified for the soft eviction threshold "
       "memory.available"},
      {{.evictionSoftGracePeriod = {{"memory.available", "-30s"}}},
       "evictionSoftGracePeriod: invalid eviction grace period specified: -30s, must be a positive "
       "value"},
      {{.evictionSoftGracePeriod = {{"cpu.available", "30s"}}},
       "evictionSoftGracePeriod: unsupported eviction signal cpu.available"},
      {{.evictionMinimumReclaim = {{"memory.available", "0%"}}},
       "evictionMinimumReclaim: eviction percentage minimum reclaim memory.available must be "
       "positive: 0%"},
      {{.evictionMinimumReclaim = {{"memory.available", "-1"}}},
       "evictionMinimumReclaim: negative eviction minimum reclaim specified for memory.available"},
  };
  for (const Case& one : cases) EXPECT_EQ(problem_of(one.settings), one.problem);
}

TEST(Thresholds, every_problem_is_reported_and_a_grace_period_that_is_wrong_is_not_also_missing) {
  const auto parsed = parse_thresholds({.evictionHard = {{"a", "1"}, {"b", "1"}},
                                        .evictionSoft = {{"memory.available", "1Gi"}},
                                        .evictionSoftGracePeriod = {{"memory.available", "soon"}}});
  ASSERT_FALSE(parsed);
  ASSERT_EQ(parsed.error().size(), 3U);
  EXPECT_EQ(parsed.error()[0].signal, "a");
  EXPECT_EQ(parsed.error()[1].signal, "b");
  EXPECT_EQ(parsed.error()[2].field, "evictionSoftGracePeriod");
}

TEST(Thresholds, exactly_0_and_100_percent_switch_one_off_and_nothing_else_does) {
  const auto count = [](const char* text) {
    return parse_thresholds({.evictionHard = {{"nodefs.available", text}}})->size();
  };
  EXPECT_EQ(count("0%"), 0U);
  EXPECT_EQ(count("100%"), 0U);
  for (const char* text : {"0.0%", "-0%", "100.0%", "1e2%", "NaN%", "0.5%", "5%%"}) {
    EXPECT_EQ(count(text), 1U) << text;
  }
}

TEST(Thresholds, soft_ones_have_their_grace_and_both_kinds_the_minimum_reclaim_of_their_signal) {
  const auto parsed = parse_thresholds({.evictionHard = {{"memory.available", "100Mi"}},
                                        .evictionSoft = {{"memory.available", "300Mi"}},
                                        .evictionSoftGracePeriod = {{"memory.available", "1m30s"}},
                                        .evictionMinimumReclaim = {{"memory.available", "50Mi"}}});
  ASSERT_TRUE(parsed);
  using enum Signal;
  EXPECT_EQ(*parsed, (std::vector<Threshold>{
                         with_reclaim(threshold(kMemoryAvailable, "100Mi"), "50Mi"),
                         with_reclaim(threshold(kMemoryAvailable, "300Mi", seconds(90)), "50Mi")}));
  EXPECT_TRUE(is_hard(parsed->front()));
  EXPECT_FALSE(is_hard(parsed->back()));
}

TEST(Thresholds, what_is_enforced_for_pods_is_watched_as_well_if_it_is_hard) {
  ThresholdSettings settings{.evictionHard = {{"memory.available", "10%"}},
                             .evictionSoft = {{"memory.available", "20%"}},
                             .evictionSoftGracePeriod = {{"memory.available", "1m"}},
                             .evictionMinimumReclaim = {{"memory.available", "50Mi"}},
                             .enforce_pods_allocatable = true};
  const auto parsed = parse_thresholds(settings);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->size(), 3U);
  EXPECT_EQ(parsed->back(), (Threshold{.signal = Signal::kAllocatableMemoryAvailable,
                                       .value = Share{0.1F},
                                       .min_reclaim = quantity("50Mi"),
                                       .origin = ThresholdOrigin::kNodeAllocatable}));
  settings.evictionSoftGracePeriod["memory.available"] = "0s";
  EXPECT_EQ(parse_thresholds(settings)->size(), 4U) << "a soft one without grace is a hard one";
}

TEST(Thresholds, berths_own_signals_are_known_only_where_they_are_meant) {
  ThresholdSettings settings{.evictionHard = {{"memory.availableWithCache", "200Mi"},
                                              {"swap.available", "10%"},
                                              {"memory.pressure.full.avg10", "20%"},
                                              {"io.pressure.some.avg300", "60%"},
                                              {"allocatableIO.pressure.full.avg60", "30%"}}};
  EXPECT_FALSE(parse_thresholds(settings));
  settings.own_signals = true;
  EXPECT_EQ(parse_thresholds(settings)->size(), 5U);
  settings.evictionHard["memory.pressure.full.avg10"] = "1Gi";
  EXPECT_EQ(
      problem_of(settings),
      "evictionHard: eviction threshold memory.pressure.full.avg10 must be a percentage: 1Gi");
}

TEST(Thresholds, of_berths_own_signals_that_would_hold_for_ever_are_refused) {
  struct Case {
    const char* signal = "";
    const char* value = "";
    const char* reclaim = "";
    const char* problem = "";
  };
  const char* full = "memory.pressure.full.avg10";
  const Case cases[] = {
      {full, "NaN%", "1%",
       "evictionHard: eviction threshold memory.pressure.full.avg10 must be a number: NaN%"},
      {"swap.available", "nan%", "1%",
       "evictionHard: eviction threshold swap.available must be a number: nan%"},
      {full, "20%", "NaN%",
       "evictionMinimumReclaim: eviction minimum reclaim memory.pressure.full.avg10 must be a "
       "number: NaN%"},
      {full, "20%", "5Mi",
       "evictionMinimumReclaim: eviction minimum reclaim memory.pressure.full.avg10 must be a "
       "percentage: 5Mi"},
      {full, "20%", "21%",
       "evictionMinimumReclaim: eviction minimum reclaim memory.pressure.full.avg10 must be <= "
       "the threshold 20%: 21%"},
      {full, "20%", "inf%",
       "evictionMinimumReclaim: eviction minimum reclaim memory.pressure.full.avg10 must be <= "
       "the threshold 20%: inf%"},
      {full, "20%", "20%", ""},
      {"swap.available", "20%", "21%", ""},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(problem_of({.evictionHard = {{one.signal, one.value}},
                          .evictionMinimumReclaim = {{one.signal, one.reclaim}},
                          .own_signals = true}),
              one.problem);
  }
}

TEST(Defaults, hold_where_nothing_is_configured_and_are_replaced_or_merged_where_something_is) {
  const SignalValues mine = {{"memory.available", "200Mi"}};
  EXPECT_EQ(effective_eviction_hard(std::nullopt, DefaultsUse::kReplaced), default_eviction_hard());
  EXPECT_EQ(effective_eviction_hard(mine, DefaultsUse::kReplaced), mine);
  EXPECT_TRUE(effective_eviction_hard(SignalValues{}, DefaultsUse::kReplaced).empty());
  const auto merged = effective_eviction_hard(mine, DefaultsUse::kMerged);
  EXPECT_EQ(merged.size(), 5U);
  EXPECT_EQ(merged.at("memory.available"), "200Mi");
  EXPECT_EQ(merged.at("imagefs.available"), "15%");
  EXPECT_EQ(effective_eviction_hard(SignalValues{}, DefaultsUse::kMerged), default_eviction_hard());
}

TEST(Defaults, are_those_of_kubernetes_on_linux) {
  EXPECT_EQ(default_eviction_hard(), (SignalValues{{"memory.available", "100Mi"},
                                                   {"nodefs.available", "10%"},
                                                   {"nodefs.inodesFree", "5%"},
                                                   {"imagefs.available", "15%"},
                                                   {"imagefs.inodesFree", "5%"}}));
}

TEST(Float32, is_read_as_go_reads_it) {
  struct Case {
    const char* text = "";
    float value = 0;
  };
  const Case good[] = {{"5", 5},          {"+5", 5},     {"-5", -5},    {".5", 0.5F},
                       {"5.", 5},         {"1.5e1", 15}, {"1E1", 10},   {"1_0", 10},
                       {"0x1p-2", 0.25F}, {"0x_1p0", 1}, {"1e-400", 0}, {"1e-60", 0},
                       {"12e-3", 0.012F}, {"0X1.8P1", 3}};
  for (const Case& one : good) {
    const auto value = parse_float32(one.text);
    ASSERT_TRUE(value) << one.text;
    EXPECT_EQ(*value, one.value) << one.text;
  }
  for (const char* text : {"", "abc", "1 ", " 1", "+-1", "1__0", "_1", "1_", "1_e1", "0x1", "1e",
                           ".", "0x", "+nan", "1,5", "--1", "1f", "in"}) {
    const auto value = parse_float32(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().message,
              std::string("strconv.ParseFloat: parsing \"") + text + "\": invalid syntax");
  }
  for (const char* text : {"1e39", "-1e400", "99999999999999999999999999999999999999999"}) {
    const auto value = parse_float32(text);
    ASSERT_FALSE(value) << text;
    EXPECT_TRUE(value.error().message.ends_with("value out of range")) << text;
  }
  const std::string zeros(400, '0');
  const std::string nines(400, '9');
  const std::string too_large[] = {"0" + nines, "0." + zeros + "1e500", zeros + nines + "." + nines,
                                   "0x0." + zeros + "1p2000", nines + "e-300"};
  for (const std::string& text : too_large) {
    const auto value = parse_float32(text);
    ASSERT_FALSE(value) << text;
    EXPECT_TRUE(value.error().message.ends_with("value out of range")) << text;
  }
  const std::string too_small[] = {"0." + zeros + "1", zeros + "." + zeros + "9", zeros + "e9999",
                                   "9" + zeros + "e-900", "0x1" + zeros + "p-3000"};
  for (const std::string& text : too_small) {
    EXPECT_EQ(parse_float32(text), 0.0F) << text;
  }
  EXPECT_TRUE(std::isinf(*parse_float32("-Infinity")));
  EXPECT_TRUE(std::isnan(*parse_float32("NaN")));
}

TEST(ThresholdValues, a_share_is_a_32_bit_float_of_the_capacity_cut_to_a_whole_number) {
  const api::Quantity hundred_gi = api::Quantity::from_int(100 * kGi);
  EXPECT_EQ(amount_of(Share{0.1F}, hundred_gi).value(), 10 * kGi + 160);
  EXPECT_EQ(amount_of(quantity("1Gi"), hundred_gi).value(), kGi);
  EXPECT_EQ(amount_of(Share{std::nanf("")}, hundred_gi).sign(), -1) << "never met";
}

TEST(SameThreshold, is_one_of_the_same_signal_value_and_grace_whatever_is_to_be_reclaimed) {
  using enum Signal;
  const Threshold one = threshold(kMemoryAvailable, "100Mi", seconds(30));
  EXPECT_TRUE(same_threshold(one, with_reclaim(one, "50Mi")));
  EXPECT_TRUE(same_threshold(one, threshold(kMemoryAvailable, "102400Ki", seconds(30))));
  EXPECT_FALSE(same_threshold(one, threshold(kMemoryAvailable, "100Mi", seconds(60))));
  EXPECT_FALSE(same_threshold(one, threshold(kMemoryAvailable, "200Mi", seconds(30))));
  EXPECT_FALSE(same_threshold(one, threshold(kNodeFsAvailable, "100Mi", seconds(30))));
}

TEST(ThresholdValues, are_shown_as_they_are_configured) {
  using enum Signal;
  EXPECT_EQ(to_string(threshold(kMemoryAvailable, "100Mi")), "memory.available<100Mi");
  EXPECT_EQ(to_string(Threshold{.signal = kMemoryPressureFullAvg10, .value = Share{0.125F}}),
            "memory.pressure.full.avg10>12.5%");
}

}  // namespace
}  // namespace berth::eviction
