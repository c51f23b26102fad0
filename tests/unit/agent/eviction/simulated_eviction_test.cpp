// SPDX-License-Identifier: Apache-2.0

// What the thresholds of another configuration would have done, as the control API reports it.
#include "agent/eviction/simulated_eviction.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using eviction::kGi;
using eviction::kMi;

constexpr const char* kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

// Memory of 4Gi runs short: 3Gi are left, then 2Gi, then 1Gi, 10 s apart.
eviction::History shrinking() {
  auto pods = std::make_shared<eviction::PodsSeen>();
  pods->pods.push_back(std::make_shared<const api::Pod>(eviction::make_pod({.name = "web"})));
  pods->readings["uid-web"] = eviction::using_memory(500 * kMi);
  eviction::History history;
  for (int i = 1; i <= 3; ++i) {
    eviction::NodeReadings node{.memory = eviction::memory_left((4 - i) * kGi, 10 * i)};
    node.allocatable_memory = node.memory;
    history.add({.at = eviction::steady(10 * i),
                 .shown_at = eviction::wall(10 * i),
                 .node = node,
                 .pods = pods});
  }
  return history;
}

SimulationInput trying(const std::string& lines, const std::string& in_force = "") {
  auto parsed = parse_configuration(kKubelet + in_force, "c.yaml");
  auto problems = std::move(parsed.problems);
  const Settings settings = resolve_settings(parsed.documents, {}, "node1", problems);
  EXPECT_TRUE(problems.empty());
  return {.configuration = {{.file = "new.yaml", .text = kKubelet + lines}},
          .node_name = "node1",
          .in_force = pods_limit(settings),
          .history = shrinking(),
          .layout = eviction::FileSystemLayout::kSingle};
}

std::vector<std::string> evicted(const control::v1::SimulateEvictionsReply& reply) {
  std::vector<std::string> names;
  for (const auto& event : reply.events())
    if (event.kind() == "Eviction") names.push_back(event.time() + " " + event.name());
  return names;
}

TEST(SimulatedEviction, takes_the_thresholds_of_the_text_over_the_history) {
  const auto reply = simulated(
      trying("evictionHard: {memory.available: 2500Mi}\nenforceNodeAllocatable: [none]\n"));
  ASSERT_TRUE(reply) << reply.error().message;
  ASSERT_EQ(reply->thresholds_size(), 1);
  EXPECT_EQ(reply->thresholds(0), "memory.available<2500Mi");
  EXPECT_EQ(reply->samples(), 3U);
  EXPECT_EQ(evicted(*reply), std::vector<std::string>{"1970-01-01T00:00:20Z web"});
  EXPECT_EQ(reply->series_size(), 0) << "nobody asked for them";

  const auto none = simulated(trying("evictionHard: {memory.available: 500Mi}\n"));
  ASSERT_TRUE(none);
  EXPECT_TRUE(evicted(*none).empty());
}

TEST(SimulatedEviction, takes_drop_ins_over_the_text_and_names_the_file_of_a_problem) {
  SimulationInput input = trying(
      "evictionHard: {memory.available: 500Mi, nodefs.available: 5%}\n"
      "enforceNodeAllocatable: [none]\n");
  input.configuration.push_back(
      {.file = "new.yaml.d/10.yaml",
       .text = std::string(kKubelet) + "evictionHard: {memory.available: 2500Mi}\n",
       .role = ConfigRole::kDropIn});
  const auto reply = simulated(input);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(std::vector<std::string>(reply->thresholds().begin(), reply->thresholds().end()),
            (std::vector<std::string>{"memory.available<2500Mi", "nodefs.available<5%"}));
  input.configuration.back().text = std::string(kKubelet) + "maxPod: 3\n";
  const auto refused = simulated(input);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("new.yaml.d/10.yaml:3:"))
      << refused.error().message;
}

TEST(SimulatedEviction, has_the_measurements_for_a_picture_if_asked) {
  SimulationInput input = trying("evictionHard: {memory.available: 2500Mi}\n");
  input.with_series = true;
  const auto reply = simulated(input);
  ASSERT_TRUE(reply);
  ASSERT_GE(reply->series_size(), 1);
  EXPECT_EQ(reply->series(0).signal(), "memory.available");
  EXPECT_EQ(reply->series(0).values_size(), 3);
}

TEST(SimulatedEviction, draws_a_threshold_whose_signal_the_last_sample_lacks) {
  SimulationInput input = trying("evictionHard: {memory.available: 2500Mi}\n");
  input.history.add({.at = eviction::steady(40), .shown_at = eviction::wall(40)});
  input.with_series = true;
  const auto reply = simulated(input);
  ASSERT_TRUE(reply);
  ASSERT_GE(reply->series_size(), 1);
  ASSERT_EQ(reply->series(0).limits_size(), 1);
  EXPECT_EQ(reply->series(0).limits(0).value(), 2500.0 * kMi);
}

TEST(SimulatedEviction, by_merged_samples_says_how_much_earlier_it_may_have_been) {
  SimulationInput input =
      trying("evictionHard: {memory.available: 500Mi}\nenforceNodeAllocatable: [none]\n");
  eviction::History history;
  for (const int at : {10, 20, 30}) {
    const std::int64_t left = at == 20 ? kGi : kMi;
    history.add({.at = eviction::steady(at),
                 .shown_at = eviction::wall(at),
                 .node = {.memory = eviction::memory_left(left, at)},
                 .merged = 10});
  }
  input.history = std::move(history);
  const auto reply = simulated(input);
  ASSERT_TRUE(reply);
  std::vector<std::string> texts;
  for (const auto& event : reply->events())
    if (event.kind() == "ThresholdMet") texts.push_back(event.text());
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(texts[0].ends_with(" (then or earlier: samples are merged)")) << texts[0];
  EXPECT_TRUE(texts[1].ends_with(" (within the 10 s before)")) << texts[1];
}

TEST(SimulatedEviction, of_a_bad_configuration_is_refused_with_every_problem) {
  const auto reply = simulated(trying("evictionHard: {memory.available: a}\nmaxPod: 3\n"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(reply.error().message.contains("evictionHard")) << reply.error().message;
  EXPECT_TRUE(reply.error().message.contains("maxPod")) << reply.error().message;
}

// The warning about the limit of all pods, if there is one.
std::string warning_of(const std::string& lines, const std::string& in_force) {
  const auto reply = simulated(trying(lines, in_force));
  if (!reply) return reply.error().message;
  for (const auto& warning : reply->warnings())
    if (warning.contains("below the limit of all pods")) return warning;
  return "none";
}

TEST(SimulatedEviction, another_reserve_than_that_in_force_is_not_replayed_and_said_so) {
  EXPECT_EQ(warning_of("kubeReserved: {memory: 1Gi}\nsystemReserved: {memory: 512Mi}\n",
                       "systemReserved: {memory: 1Gi}\n"),
            "allocatableMemory.available is what was left below the limit of all pods as it was "
            "recorded; this file would set another (kubeReserved and systemReserved of memory: "
            "1536Mi; in force: 1Gi)");
  EXPECT_EQ(warning_of("kubeReserved: {memory: 1Gi}\n", "systemReserved: {memory: 1Gi}\n"), "none")
      << "together they are the same";
  EXPECT_EQ(warning_of("kubeReserved: {cpu: 100m}\n", ""), "none")
      << "of processors nothing is left";
  EXPECT_EQ(warning_of("", ""), "none");
  EXPECT_TRUE(warning_of("", "enforceNodeAllocatable: [none]\n").contains("in force: no limit)"));
  EXPECT_EQ(warning_of("kubeReserved: {memory: 1Gi}\nenforceNodeAllocatable: [none]\n", ""), "none")
      << "no threshold is on it";
}

TEST(SimulatedEviction, warns_of_thresholds_that_would_act_as_soon_as_they_are_in_force) {
  const auto warned = [](const std::string& lines) {
    const auto reply = simulated(trying(lines + "enforceNodeAllocatable: [none]\n"));
    return reply
               ? std::ranges::count(reply->warnings(),
                                    "eviction: memory.available<2500Mi is met at this moment: 1Gi "
                                    "is left")
               : -1;
  };
  EXPECT_EQ(warned("evictionHard: {memory.available: 2500Mi}\n"), 1);
  EXPECT_EQ(warned("evictionHard: {memory.available: 500Mi}\n"), 0);
}

TEST(SimulatedEviction, warns_of_a_soft_threshold_that_never_acts_first_by_the_machines_size) {
  const auto reply = simulated(
      trying("evictionHard: {memory.available: 25%}\nevictionSoft: {memory.available: 500Mi}\n"
             "evictionSoftGracePeriod: {memory.available: 1m}\nenforceNodeAllocatable: [none]\n"));
  ASSERT_TRUE(reply) << reply.error().message;
  const auto is_about_it = [](const std::string& warning) {
    return warning.contains("memory.available<500Mi") && warning.contains("hard");
  };
  EXPECT_EQ(std::ranges::count_if(reply->warnings(), is_about_it), 1) << "25% are 1Gi here";
}

TEST(SimulatedEviction, of_a_span_takes_its_samples) {
  const auto history = shrinking();
  const auto samples = [&](std::optional<std::int64_t> since) {
    const auto out = history_since(history, eviction::steady(35), since);
    return out ? static_cast<int>(out->samples().size()) : -1;
  };
  EXPECT_EQ(samples(std::nullopt), 3);
  EXPECT_EQ(samples(0), 0);
  EXPECT_EQ(samples(5), 1);
  EXPECT_EQ(samples(15), 2) << "its first moment belongs to it";
  EXPECT_EQ(samples(std::numeric_limits<std::int64_t>::max()), 3);
  EXPECT_EQ(samples(-1), -1);
}

}  // namespace
}  // namespace berth::agent
