// SPDX-License-Identifier: Apache-2.0

// What the manager knows, in the words of the control API.
#include "agent/eviction/eviction_wire.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using eviction::kGi;
using eviction::kMi;
using eviction::Signal;

const eviction::EvictionConfig kConfig{
    .thresholds = {eviction::threshold(Signal::kMemoryAvailable, "100Mi")},
    .rules = eviction::kRules};

eviction::NodeReadings with_memory(std::int64_t available, WallTime time) {
  return {.memory = eviction::MemoryReading{.available = available,
                                            .working_set = 8 * kGi - available,
                                            .limit = 8 * kGi,
                                            .time = time},
          .own = {.memory_with_cache = eviction::AmountReading{
                      .available = 5 * kGi, .capacity = 8 * kGi, .time = time}}};
}

EvictionView view_with(std::int64_t available) {
  EvictionView view{.layout = eviction::FileSystemLayout::kSingle, .now = SteadyTime(10s)};
  for (const eviction::PodValues& values :
       {eviction::PodValues{.name = "a", .memory_request = "1Gi"}, {.name = "b"}})
    view.pods.push_back(std::make_shared<const api::Pod>(eviction::make_pod(values)));
  view.readings.node = with_memory(available, eviction::wall(10));
  view.readings.pods = {{"uid-a", eviction::using_memory(500 * kMi)},
                        {"uid-b", eviction::using_memory(10 * kMi)}};
  eviction::CycleInput input{.readings = &view.readings, .layout = view.layout, .now = view.now};
  for (const auto& pod : view.pods) input.pods.push_back(pod.get());
  view.explanation = eviction::explain(kConfig, {}, input, eviction::History());
  return view;
}

TEST(EvictionWire, shows_signals_with_thresholds_and_the_others_that_were_measured) {
  wire::ExplainEvictionsReply reply;
  put(view_with(4 * kGi), reply);
  EXPECT_EQ(reply.verdict(), "NothingMet");
  EXPECT_EQ(reply.layout(), "single");
  ASSERT_EQ(reply.signals_size(), 2);
  EXPECT_EQ(reply.signals(0).name(), "memory.available");
  EXPECT_EQ(reply.signals(0).value(), "4Gi");
  ASSERT_EQ(reply.signals(0).thresholds_size(), 1);
  EXPECT_EQ(reply.signals(0).thresholds(0).limit(), "100Mi");
  EXPECT_EQ(reply.signals(0).thresholds(0).headroom(), "3.9Gi");
  EXPECT_EQ(reply.signals(1).name(), "memory.availableWithCache");
  EXPECT_TRUE(reply.signals(1).own());
  ASSERT_EQ(reply.rankings_size(), 1);
  EXPECT_EQ(reply.rankings(0).pods(0).name(), "b");
  EXPECT_EQ(reply.rankings(0).pods(0).ahead_by(), "ExceedsRequest");
  EXPECT_FALSE(reply.rankings(0).pods(0).within_request());
  EXPECT_TRUE(reply.rankings(0).pods(1).within_request());
  EXPECT_EQ(reply.rankings(0).next_victim(), 0U);
}

TEST(EvictionWire, under_a_stall_pods_are_ranked_by_bytes_and_not_by_percentages) {
  EvictionView view = view_with(4 * kGi);
  const eviction::EvictionConfig config{
      .thresholds = {{.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.1F}}},
      .rules = eviction::kRules};
  eviction::CycleInput input{.readings = &view.readings, .layout = view.layout, .now = view.now};
  for (const auto& pod : view.pods) input.pods.push_back(pod.get());
  view.explanation = eviction::explain(config, {}, input, eviction::History());
  wire::ExplainEvictionsReply reply;
  put(view, reply);
  ASSERT_EQ(reply.rankings_size(), 1);
  EXPECT_EQ(reply.rankings(0).pods(0).usage(), "10Mi");
}

TEST(EvictionWire, of_a_pod_is_what_it_uses_and_its_places) {
  const EvictionView view = view_with(4 * kGi);
  wire::PodUsage usage;
  put(view, *view.pods[0], usage);
  EXPECT_EQ(usage.memory_bytes(), 500 * kMi);
  EXPECT_EQ(usage.memory_request_bytes(), kGi);
  EXPECT_FALSE(usage.has_processes()) << "not measured is absent";
  ASSERT_EQ(usage.places_size(), 1);
  EXPECT_EQ(usage.places(0), 2U);
}

TEST(EvictionWire, a_simulation_is_told_in_sentences_and_drawn_with_its_limits) {
  eviction::History history;
  auto seen = std::make_shared<eviction::PodsSeen>();
  const EvictionView view = view_with(4 * kGi);
  seen->pods = view.pods;
  seen->readings = view.readings.pods;
  for (int second = 1; second <= 3; ++second)
    history.add({.at = SteadyTime(std::chrono::seconds(second)),
                 .shown_at = eviction::wall(second),
                 .node = with_memory(second < 2 ? 4 * kGi : 50 * kMi, eviction::wall(second)),
                 .pods = seen});
  wire::SimulateEvictionsReply reply;
  put(eviction::simulate(history, kConfig, eviction::FileSystemLayout::kSingle), reply);
  put_series(history, kConfig.thresholds, reply);
  EXPECT_EQ(reply.samples(), 3U);
  std::vector<std::string> texts;
  for (const auto& event : reply.events()) texts.push_back(event.text());
  EXPECT_EQ(std::ranges::count(texts, "the node has MemoryPressure"), 1);
  EXPECT_EQ(std::ranges::count(texts,
                               "default/b is evicted, with 1 s to end: "
                               "memory.available<100Mi (50Mi is left); before the next "
                               "by ExceedsRequest"),
            1)
      << texts.back();
  ASSERT_EQ(reply.series_size(), 1);
  EXPECT_EQ(reply.series(0).values_size(), 3);
  EXPECT_EQ(reply.series(0).limits(0).value(), 100.0 * kMi);
}

}  // namespace
}  // namespace berth::agent
