// SPDX-License-Identifier: Apache-2.0

// Errors in a KubeSchedulerConfiguration, and their messages.
#include <gtest/gtest.h>

#include "scheduling/configuration/read_configuration.hpp"

namespace berth::scheduling {
namespace {

using Texts = std::vector<std::string>;

Texts problems_of(const std::string& body) {
  const auto settings = read_scheduler_configuration(
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + body);
  Texts texts;
  if (settings) return texts;
  for (const api::Problem& problem : settings.error()) {
    texts.push_back(problem.path + ": " + problem.message);
  }
  return texts;
}

struct Rule {
  const char* stated;
  Texts problems;
};

void expect_rules(const std::string& before, const std::vector<Rule>& rules,
                  const std::string& after) {
  for (const Rule& rule : rules) {
    EXPECT_EQ(problems_of(before + rule.stated + after), rule.problems) << rule.stated;
  }
}

TEST(SchedulerConfigurationRules, of_the_whole) {
  expect_rules(
      "",
      {{"podInitialBackoffSeconds: 0",
        {"podInitialBackoffSeconds: Invalid value: 0: must be greater than 0"}},
       {"podInitialBackoffSeconds: 20",
        {"podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to "
         "PodInitialBackoffSeconds"}},
       {"percentageOfNodesToScore: 101",
        {"percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"}},
       {"profiles: [{schedulerName: a}, {schedulerName: a}]",
        {"profiles[1].schedulerName: Duplicate value: \"profiles[0].schedulerName\""}},
       {"profiles: [{schedulerName: a}, {}]", {"profiles[1].schedulerName: Required value"}},
       {"profiles: [{percentageOfNodesToScore: -1}]",
        {"profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]"}},
       {"extenders: [{urlPrefix: 'http://x'}]",
        {"extenders: Forbidden: berth calls no extenders; leave the field out"}}},
      "\n");
}

TEST(SchedulerConfigurationRules, of_plugins) {
  const std::string at = "profiles[0].plugins.";
  expect_rules(
      "profiles: [{plugins: {",
      {{"score: {enabled: [{name: Mine}]}",
        {at + "score.enabled[0].name: Invalid value: \"Mine\": there is no such plugin"}},
       {"score: {enabled: [{}]}", {at + "score.enabled[0].name: Required value"}},
       {"score: {enabled: [{name: SelectorSpread}]}",
        {at + "score.enabled[0].name: Invalid value: \"SelectorSpread\": was a plugin of an older "
              "version; v1 has PodTopologySpread, whose defaultingType System does the same"}},
       {"score: {enabled: [{name: NodeName}]}",
        {at + "score.enabled[0].name: Invalid value: \"NodeName\": the plugin does not extend "
              "score"}},
       {"filter: {enabled: [{name: NodeName}, {name: NodeName}]}",
        {at + "filter.enabled[1].name: Duplicate value: \"NodeName\""}},
       {"score: {enabled: [{name: ImageLocality, weight: -1}]}",
        {at + "score.enabled[0].weight: Invalid value: -1: must be greater than or equal to 0"}},
       {"queueSort: {disabled: [{name: '*'}]}",
        {at + "queueSort: Forbidden: PrioritySort cannot be left out"}},
       {"preEnqueue: {disabled: [{name: SchedulingGates}]}",
        {at + "preEnqueue: Forbidden: SchedulingGates cannot be left out"}}},
      "}}]\n");
}

TEST(SchedulerConfigurationRules, of_plugin_arguments_as_such) {
  const std::string at = "profiles[0].pluginConfig[";
  expect_rules(
      "profiles: [{pluginConfig: [",
      {{"{name: Mine, args: {}}",
        {at + "0].name: Invalid value: \"Mine\": there is no such plugin"}},
       {"{name: NodeAffinity}, {name: NodeAffinity}",
        {at + "1]: Duplicate value: \"NodeAffinity\""}},
       {"{name: NodeAffinity, args: {kind: InterPodAffinityArgs}}",
        {at + "0].args: Invalid value: \", Kind=InterPodAffinityArgs\": has to match plugin args"}},
       {"{name: RequestedToCapacityRatio}",
        {at + "0].name: Invalid value: \"RequestedToCapacityRatio\": was a plugin of an older "
              "version; v1 has NodeResourcesFit with scoringStrategy.type "
              "RequestedToCapacityRatio"}}},
      "]}]\n");
}

const std::string kArgs = "profiles[0].pluginConfig[0].args.";

TEST(SchedulerConfigurationRules, of_resource_plugins) {
  expect_rules(
      "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {",
      {{"ignoredResources: ['a b']",
        {kArgs + "ignoredResources[0]: Invalid value: \"a b\": name part must consist of "
                 "alphanumeric characters, '-', '_' or '.', and must start and end with an "
                 "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used "
                 "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"}},
       {"ignoredResourceGroups: [a/b]",
        {kArgs + "ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name can't "
                 "contain '/'"}},
       {"scoringStrategy: {type: Best}",
        {kArgs + "scoringStrategy.type: Unsupported value: \"Best\": supported values: "
                 "\"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\""}},
       {"scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 101}]}",
        {kArgs + "scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu "
                 "not in valid range (0, 100]"}},
       {"scoringStrategy: {type: RequestedToCapacityRatio}",
        {kArgs + "scoringStrategy.requestedToCapacityRatio: Required value: the type needs its "
                 "shape"}},
       {"scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
        "[{utilization: 5, score: 11}, {utilization: 5}]}}",
        {kArgs + "scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: "
                 "5: values must be sorted in increasing order",
         kArgs + "scoringStrategy.requestedToCapacityRatio.shape[0].score: Invalid value: 11: not "
                 "in valid range [0, 10]"}}},
      "}}]}]\n");
  expect_rules("profiles: [{pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {",
               {{"resources: [{name: cpu, weight: 2}, {name: cpu}]",
                 {kArgs + "resources[0].weight: Invalid value: 2: must be 1",
                  kArgs + "resources[1].name: Duplicate value: \"cpu\""}}},
               "}}]}]\n");
}

TEST(SchedulerConfigurationRules, of_topology_spread) {
  const std::string sound = "maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule";
  const std::string list = kArgs + "defaultConstraints[";
  expect_rules(
      "profiles: [{pluginConfig: [{name: PodTopologySpread, args: {",
      {{"defaultingType: Some",
        {kArgs + "defaultingType: Unsupported value: \"Some\": supported values: \"System\", "
                 "\"List\""}},
       {"defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]",
        {kArgs + "defaultingType: Invalid value: \"System\": when .defaultConstraints are not "
                 "empty"}},
       {"defaultingType: List, defaultConstraints: [{maxSkew: 0, whenUnsatisfiable: Never}]",
        {list + "0].maxSkew: Invalid value: 0: not in valid range (0, inf)",
         list + "0].topologyKey: Required value: can not be empty",
         list + "0].whenUnsatisfiable: Unsupported value: \"Never\": supported values: "
                "\"DoNotSchedule\", \"ScheduleAnyway\""}}},
      "}}]}]\n");
  EXPECT_EQ(problems_of("profiles: [{pluginConfig: [{name: PodTopologySpread, args: "
                        "{defaultingType: List, defaultConstraints: [{" +
                        sound + ", labelSelector: {}}, {" + sound + "}]}}]}]\n"),
            (Texts{list + "0].labelSelector: Forbidden: constraint must not define a selector, as "
                          "they deduced for each pod",
                   list + "1]: Duplicate value: \"{zone, DoNotSchedule}\""}));
}

TEST(SchedulerConfigurationRules, of_preemption_and_affinity) {
  expect_rules(
      "profiles: [{pluginConfig: [{name: DefaultPreemption, args: {",
      {{"minCandidateNodesPercentage: 101, minCandidateNodesAbsolute: -1",
        {kArgs + "minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]",
         kArgs + "minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)"}},
       {"minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0",
        {kArgs + "minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time "
                 "as minCandidateNodesAbsolute",
         kArgs + "minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as "
                 "minCandidateNodesPercentage"}}},
      "}}]}]\n");
  expect_rules(
      "profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {"
      "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [",
      {{"{key: a, operator: Like}",
        {kArgs + "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
                 ".matchExpressions[0].operator: Unsupported value: \"Like\": supported values: "
                 "\"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""}}},
      "]}]}}}}]}]\n");
}

}  // namespace
}  // namespace berth::scheduling
