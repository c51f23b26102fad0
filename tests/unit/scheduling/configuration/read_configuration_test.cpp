// SPDX-License-Identifier: Apache-2.0

#include "scheduling/configuration/read_configuration.hpp"

#include <gtest/gtest.h>

namespace berth::scheduling {
namespace {

using Texts = std::vector<std::string>;

std::string document(const std::string& body) {
  return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + body;
}

// A document with one profile of these lines, which must already be indented.
std::string profile_document(const std::string& lines) {
  return document("profiles:\n- schedulerName: default-scheduler\n" + lines);
}

SchedulerSettings settings_of(const std::string& text) {
  auto settings = read_scheduler_configuration(text);
  if (settings) return std::move(*settings);
  for (const api::Problem& problem : settings.error()) ADD_FAILURE() << api::to_string(problem);
  return {};
}

// "path: message" of every problem.
Texts problems_of(const std::string& text) {
  const auto settings = read_scheduler_configuration(text);
  if (settings) return {};
  Texts texts;
  for (const api::Problem& problem : settings.error()) {
    texts.push_back(problem.path + ": " + problem.message);
  }
  return texts;
}

TEST(SchedulerConfiguration, empty_one_is_the_default_profile) {
  const SchedulerSettings settings = settings_of(document(""));
  ASSERT_EQ(settings.profiles.size(), 1U);
  const Profile& profile = settings.profiles[0];
  EXPECT_EQ(profile.schedulerName, "default-scheduler");
  EXPECT_EQ(profile.parallelism, 16);
  EXPECT_EQ(profile.percentageOfNodesToScore, 0);
  EXPECT_EQ(profile.filters, PluginSet::all());
  EXPECT_EQ(profile.weights, Profile{}.weights);
  EXPECT_TRUE(profile.preempts);
  EXPECT_EQ(settings.backoff.initial.count(), 1);
  EXPECT_EQ(settings.backoff.longest.count(), 10);
  EXPECT_TRUE(settings.unused.empty());
}

TEST(SchedulerConfiguration, numbers_of_the_whole_hold_where_a_profile_states_none) {
  const SchedulerSettings settings = settings_of(
      document("parallelism: 4\npercentageOfNodesToScore: 30\npodInitialBackoffSeconds: 2\n"
               "podMaxBackoffSeconds: 20\nprofiles:\n- schedulerName: a\n- schedulerName: b\n"
               "  percentageOfNodesToScore: 70\n"));
  ASSERT_EQ(settings.profiles.size(), 2U);
  EXPECT_EQ(settings.profiles[0].percentageOfNodesToScore, 30);
  EXPECT_EQ(settings.profiles[1].percentageOfNodesToScore, 70);
  EXPECT_EQ(settings.profiles[1].parallelism, 4);
  EXPECT_EQ(settings.backoff.initial.count(), 2);
  EXPECT_EQ(settings.backoff.longest.count(), 20);
}

TEST(SchedulerConfiguration, pod_gets_the_profile_that_it_names) {
  const SchedulerSettings settings =
      settings_of(document("profiles:\n- schedulerName: default-scheduler\n- schedulerName: b\n"));
  EXPECT_EQ(profile_for(settings, ""), &settings.profiles[0]);
  EXPECT_EQ(profile_for(settings, "default-scheduler"), &settings.profiles[0]);
  EXPECT_EQ(profile_for(settings, "b"), &settings.profiles[1]);
  EXPECT_EQ(profile_for(settings, "c"), nullptr);
  // A single profile may omit its name.
  const SchedulerSettings single = settings_of(document("profiles:\n- pluginConfig: []\n"));
  EXPECT_NE(profile_for(single, ""), nullptr);
}

TEST(SchedulerConfiguration, plugins_are_enabled_and_disabled_by_point) {
  struct Case {
    const char* what;
    const char* plugins;
    Plugin plugin;
    bool filters;
    bool scores;
    std::int64_t weight;
  };
  const Case cases[] = {
      {"nothing stated", "{}", Plugin::kTaintToleration, true, true, 3},
      {"off at one point", "{score: {disabled: [{name: TaintToleration}]}}",
       Plugin::kTaintToleration, true, false, 0},
      {"off at all points", "{multiPoint: {disabled: [{name: TaintToleration}]}}",
       Plugin::kTaintToleration, false, false, 0},
      {"another weight at its point",
       "{score: {disabled: [{name: TaintToleration}], enabled: [{name: TaintToleration, weight: "
       "7}]}}",
       Plugin::kTaintToleration, true, true, 7},
      {"no weight at its point is 1", "{score: {enabled: [{name: TaintToleration}]}}",
       Plugin::kTaintToleration, true, true, 1},
      {"another weight at all points",
       "{multiPoint: {enabled: [{name: TaintToleration, weight: 5}]}}", Plugin::kTaintToleration,
       true, true, 5},
      {"the point's weight comes first",
       "{multiPoint: {enabled: [{name: TaintToleration, weight: 5}]}, score: {enabled: [{name: "
       "TaintToleration, weight: 6}]}}",
       Plugin::kTaintToleration, true, true, 6},
      {"all off at a point but one",
       "{score: {disabled: [{name: '*'}], enabled: [{name: ImageLocality, weight: 2}]}}",
       Plugin::kImageLocality, true, true, 2},
      {"all off at a point", "{score: {disabled: [{name: '*'}]}}", Plugin::kInterPodAffinity, true,
       false, 0},
      {"off everywhere and on at a point",
       "{multiPoint: {disabled: [{name: NodeAffinity}]}, filter: {enabled: [{name: "
       "NodeAffinity}]}}",
       Plugin::kNodeAffinity, true, false, 0},
  };
  for (const Case& c : cases) {
    const SchedulerSettings settings =
        settings_of(profile_document("  plugins: " + std::string(c.plugins) + "\n"));
    const Profile& profile = settings.profiles.at(0);
    EXPECT_EQ(profile.filters.contains(c.plugin), c.filters) << c.what;
    EXPECT_EQ(profile.scores.contains(c.plugin), c.scores) << c.what;
    EXPECT_EQ(profile.weight(c.plugin), c.weight) << c.what;
  }
}

TEST(SchedulerConfiguration, preemption_can_be_left_out) {
  EXPECT_FALSE(
      settings_of(
          profile_document("  plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}\n"))
          .profiles[0]
          .preempts);
}

TEST(SchedulerConfiguration, arguments_are_taken_over_with_their_defaults) {
  const SchedulerSettings settings = settings_of(profile_document(R"(  pluginConfig:
  - name: NodeResourcesFit
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: NodeResourcesFitArgs
      ignoredResources: [example.com/gpu]
      scoringStrategy:
        type: RequestedToCapacityRatio
        resources: [{name: cpu, weight: 3}, {name: example.com/gpu}]
        requestedToCapacityRatio:
          shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]
  - name: NodeResourcesBalancedAllocation
    args: {resources: [{name: memory}]}
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints:
      - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}
      - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}
  - name: InterPodAffinity
    args: {hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: true}
  - name: DefaultPreemption
    args: {minCandidateNodesPercentage: 50}
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [a]}]}]
)"));
  const Profile& profile = settings.profiles.at(0);
  EXPECT_EQ(profile.fit.ignoredResources, Texts{"example.com/gpu"});
  EXPECT_EQ(profile.fit.scoringStrategy.type, ScoringStrategyType::kRequestedToCapacityRatio);
  EXPECT_EQ(profile.fit.scoringStrategy.resources,
            (std::vector<ResourceSpec>{{"cpu", 3}, {"example.com/gpu", 1}}));
  EXPECT_EQ(profile.fit.scoringStrategy.shape,
            (std::vector<UtilizationShapePoint>{{0, 0}, {100, 10}}));
  EXPECT_EQ(profile.balanced_allocation.resources, (std::vector<ResourceSpec>{{"memory", 1}}));
  EXPECT_EQ(profile.topology_spread.defaultingType, DefaultingType::kList);
  EXPECT_EQ(profile.topology_spread.defaultConstraints.size(), 2U);
  EXPECT_EQ(profile.inter_pod_affinity.hardPodAffinityWeight, 0);
  EXPECT_TRUE(profile.inter_pod_affinity.ignorePreferredTermsOfExistingPods);
  EXPECT_EQ(profile.preemption.minCandidateNodesPercentage, 50);
  EXPECT_EQ(profile.preemption.minCandidateNodesAbsolute, 100);
  ASSERT_TRUE(profile.node_affinity.addedAffinity.has_value());
  const SelectorSources selectors;
  const QueueSettings queue = queue_settings(settings, selectors);
  const HintArguments& hints = queue.profiles.at("default-scheduler");
  EXPECT_TRUE(hints.added_affinity.has_value());
  EXPECT_EQ(hints.default_constraints.size(), 1U);
}

TEST(SchedulerConfiguration, arguments_without_content_are_the_defaults) {
  const SchedulerSettings settings = settings_of(profile_document(
      "  pluginConfig:\n  - name: NodeResourcesFit\n  - name: InterPodAffinity\n    args: {}\n"
      "  - name: PodTopologySpread\n    args: null\n"));
  EXPECT_EQ(settings.profiles.at(0).fit, NodeResourcesFitArgs{});
  EXPECT_EQ(settings.profiles.at(0).inter_pod_affinity, InterPodAffinityArgs{});
  EXPECT_EQ(settings.profiles.at(0).topology_spread, PodTopologySpreadArgs{});
}

TEST(SchedulerConfiguration, what_has_no_effect_is_listed) {
  const SchedulerSettings settings = settings_of(document(R"(leaderElection: {leaderElect: false}
clientConnection: {qps: 50.5}
enableProfiling: true
profiles:
- plugins:
    filter: {enabled: [{name: VolumeZone}, {name: NodeName, weight: 3}]}
    score: {disabled: [{name: NoSuchPlugin}, {name: VolumeBinding}]}
  pluginConfig:
  - {name: VolumeBinding, args: {bindTimeoutSeconds: 5}}
)"));
  EXPECT_EQ(settings.unused,
            (Texts{"leaderElection", "clientConnection", "enableProfiling",
                   "profiles[0].plugins.filter.enabled[0]",
                   "profiles[0].plugins.filter.enabled[1].weight",
                   "profiles[0].plugins.score.disabled[0]", "profiles[0].pluginConfig[0]"}));
}

TEST(SchedulerConfiguration, other_kinds_and_versions_are_refused) {
  EXPECT_EQ(problems_of("apiVersion: kubescheduler.config.k8s.io/v1beta3\n"
                        "kind: KubeSchedulerConfiguration\n"),
            Texts{"apiVersion: kubescheduler.config.k8s.io/v1beta3 is not supported; use "
                  "kubescheduler.config.k8s.io/v1"});
  EXPECT_EQ(problems_of("apiVersion: v1\nkind: Pod\n").size(), 1U);
  EXPECT_EQ(problems_of("").size(), 1U);
  EXPECT_EQ(problems_of(document("---\na: b\n")), Texts{": a second document"});
}

TEST(SchedulerConfiguration, problems_have_their_paths_and_places) {
  const auto settings = read_scheduler_configuration(
      document("parallelism: 0\nprofiles:\n- pluginConfig:\n  - name: InterPodAffinity\n"
               "    args:\n      hardPodAffinityWeight: 101\n      hardPodAfinityWeight: 1\n"));
  ASSERT_FALSE(settings.has_value());
  Texts texts;
  for (const api::Problem& problem : settings.error()) texts.push_back(api::to_string(problem));
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_TRUE(texts[0].starts_with(
      "line 9, column 7: profiles[0].pluginConfig[0].args.hardPodAfinityWeight: unknown field"))
      << texts[0];
  EXPECT_EQ(texts[1],
            "line 3, column 14: parallelism: Invalid value: 0: should be an integer value greater "
            "than zero");
  EXPECT_EQ(texts[2],
            "line 8, column 30: profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid "
            "value: 101: not in valid range [0, 100]");
}

}  // namespace
}  // namespace berth::scheduling
