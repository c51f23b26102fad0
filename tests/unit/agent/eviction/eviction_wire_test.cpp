// SPDX-License-Identifier: Apache-2.0

// The manager's state as messages of the control API.
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

void explain_under(EvictionView& view, const eviction::EvictionConfig& config) {
  eviction::CycleInput input{.readings = &view.readings, .layout = view.layout, .now = view.now};
  for (const auto& pod : view.pods) input.pods.push_back(pod.get());
  view.explanation = eviction::explain(config, {}, input, eviction::History());
}

EvictionView view_with(std::int64_t available) {
  EvictionView view{.layout = eviction::FileSystemLayout::kSingle, .now = SteadyTime(10s)};
  for (const eviction::PodValues& values :
       {eviction::PodValues{.name = "a", .memory_request = "1Gi"}, {.name = "b"}})
    view.pods.push_back(std::make_shared<const api::Pod>(eviction::make_pod(values)));
  view.readings.node = with_memory(available, eviction::wall(10));
  view.readings.pods = {{"uid-a", eviction::using_memory(500 * kMi)},
                        {"uid-b", eviction::using_memory(10 * kMi)}};
  explain_under(view, kConfig);
  return view;
}

// "memory.available 1, nodefs.available 2"
std::string places_in(const wire::PodUsage& usage) {
  std::string text;
  for (int i = 0; i < usage.signals_size() && i < usage.places_size(); ++i)
    text += (i > 0 ? ", " : "") + usage.signals(i) + " " + std::to_string(usage.places(i));
  return text;
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
  ASSERT_EQ(reply.rankings_size(), 3);
  EXPECT_EQ(reply.rankings(1).signal(), "nodefs.available") << "though it has no threshold";
  EXPECT_EQ(reply.rankings(2).signal(), "pid.available");
  EXPECT_EQ(reply.rankings(0).pods(0).name(), "b");
  EXPECT_EQ(reply.rankings(0).pods(0).ahead_by(), "ExceedsRequest");
  EXPECT_FALSE(reply.rankings(0).pods(0).within_request());
  EXPECT_TRUE(reply.rankings(0).pods(1).within_request());
  EXPECT_EQ(reply.rankings(0).next_victim(), 0U);
}

TEST(EvictionWire, says_what_is_waited_for_before_somebody_goes) {
  EvictionView view = view_with(50 * kMi);
  eviction::CycleInput input{.readings = &view.readings, .layout = view.layout, .now = view.now};
  for (const auto& pod : view.pods) input.pods.push_back(pod.get());
  for (const bool pod_is_ending : {false, true}) {
    view.explanation = eviction::explain(kConfig, {}, input, eviction::History(),
                                         {.pod_is_ending = pod_is_ending});
    wire::ExplainEvictionsReply reply;
    put(view, reply);
    EXPECT_EQ(reply.waits_for(), pod_is_ending ? "PodEnd" : "");
    EXPECT_EQ(reply.signals(0).thresholds(0).waits_for(), reply.waits_for());
    EXPECT_EQ(reply.signals(0).thresholds(0).standing(), "Due");
    EXPECT_NE(reply.has_until_action_ms(), pod_is_ending);
  }
}

TEST(EvictionWire, under_a_stall_pods_are_ranked_by_bytes_and_not_by_percentages) {
  EvictionView view = view_with(4 * kGi);
  const eviction::EvictionConfig config{
      .thresholds = {{.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.1F}}},
      .rules = eviction::kRules};
  explain_under(view, config);
  wire::ExplainEvictionsReply reply;
  put(view, reply);
  ASSERT_EQ(reply.rankings_size(), 3);
  EXPECT_EQ(reply.rankings(0).pods(0).usage(), "10Mi");
}

TEST(EvictionWire, of_a_pod_is_what_it_uses_and_its_places) {
  const EvictionView view = view_with(4 * kGi);
  wire::PodUsage usage;
  put(view, *view.pods[0], usage);
  EXPECT_EQ(usage.memory_bytes(), 500 * kMi);
  EXPECT_EQ(usage.memory_request_bytes(), kGi);
  EXPECT_FALSE(usage.has_processes()) << "not measured is absent";
  EXPECT_EQ(places_in(usage), "memory.available 2, nodefs.available 1");
}

TEST(EvictionWire, a_pod_has_a_place_whether_a_threshold_is_set_or_not) {
  EvictionView view = view_with(4 * kGi);
  view.readings.pods["uid-a"].processes = 7;
  explain_under(view, {.local_storage_capacity_isolation = false, .rules = eviction::kRules});
  wire::PodUsage usage;
  put(view, *view.pods[0], usage);
  EXPECT_EQ(places_in(usage), "memory.available 2, nodefs.available 1, pid.available 1");
  usage.Clear();
  put(view, *view.pods[1], usage);
  EXPECT_EQ(places_in(usage), "memory.available 1, nodefs.available 2")
      << "its processes were not counted";
}

TEST(EvictionWire, a_pod_is_exempt_where_it_is_and_not_everywhere) {
  EvictionView view = view_with(4 * kGi);
  view.readings.pods["uid-a"].containers[0].logs = eviction::UsedSpace{.bytes = kMi};
  eviction::EvictionConfig config = kConfig;
  config.rules.evict_within_requests = false;
  explain_under(view, config);
  wire::PodUsage usage;
  put(view, *view.pods[0], usage);
  ASSERT_EQ(usage.exempt_signals_size(), 1);
  EXPECT_EQ(usage.exempt_signals(0), "memory.available");
  EXPECT_FALSE(usage.exempt());
}

TEST(EvictionWire, says_who_goes_now_and_for_what) {
  wire::ExplainEvictionsReply reply;
  put(view_with(50 * kMi), reply);
  ASSERT_EQ(reply.evictions_size(), 1);
  EXPECT_EQ(reply.evictions(0).name(), "b");
  EXPECT_EQ(reply.evictions(0).cause(), "memory.available<100Mi (50Mi is left)");
  EXPECT_EQ(reply.evictions(0).grace_seconds(), 1);
  EXPECT_TRUE(reply.evictions(0).message().starts_with("The node was low on resource: memory."));
}

TEST(EvictionWire, says_which_limit_of_local_storage_is_exceeded) {
  const auto cause = [](eviction::LocalStorageLimit limit) {
    EvictionView view;
    view.explanation.evictions.push_back(
        {.pod = {.name = "a", .namespace_ = "default", .uid = "uid-a"},
         .cause = eviction::ExceededLimit{.limit = limit,
                                          .name = "scratch",
                                          .allowed = eviction::quantity("10Mi"),
                                          .used = eviction::quantity("20Mi")}});
    wire::ExplainEvictionsReply reply;
    put(view, reply);
    return reply.evictions(0).cause();
  };
  EXPECT_EQ(cause(eviction::LocalStorageLimit::kEmptyDir),
            "sizeLimit of volume scratch (20Mi of 10Mi used)");
  EXPECT_EQ(cause(eviction::LocalStorageLimit::kPod),
            "the pod's limit of ephemeral-storage (20Mi of 10Mi used)");
  EXPECT_EQ(cause(eviction::LocalStorageLimit::kContainer),
            "limit of ephemeral-storage of container scratch (20Mi of 10Mi used)");
}

TEST(EvictionWire, a_simulation_is_described_in_sentences_and_drawn_with_its_limits) {
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
                               "default/b is evicted, grace period 1 s: memory.available<100Mi "
                               "(50Mi is left); before the next by ExceedsRequest"),
            1)
      << texts.back();
  ASSERT_EQ(reply.series_size(), 1);
  EXPECT_EQ(reply.series(0).values_size(), 3);
  EXPECT_EQ(reply.series(0).limits(0).value(), 100.0 * kMi);
}

}  // namespace
}  // namespace berth::agent
