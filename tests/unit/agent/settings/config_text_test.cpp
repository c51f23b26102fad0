// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/config_text.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

std::vector<std::string> problems_of(std::string_view text) {
  const auto parsed = parse_configuration(text, "c.yaml");
  std::vector<std::string> lines;
  for (const auto& problem : parsed.problems) lines.push_back(problem.to_string());
  return lines;
}

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  for (const auto& line : lines) {
    if (line.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST(ConfigText, both_kinds_stand_in_one_file) {
  const auto parsed = parse_configuration(R"(apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
maxPods: 7
containerLogMaxSize: 5Mi
---
apiVersion: berth.dev/v1alpha1
kind: BerthConfiguration
manifestRules: Kubelet
nodeLabels: {zone: a}
)",
                                          "c.yaml");
  ASSERT_TRUE(parsed.problems.empty());
  const auto& documents = parsed.documents;
  EXPECT_EQ(documents.kubelet.maxPods, 7);
  EXPECT_EQ(documents.berth.manifestRules, "Kubelet");
  EXPECT_EQ(documents.berth.nodeLabels->at("zone"), "a");
  const std::vector<std::string> fields = {"apiVersion", "kind", "maxPods", "containerLogMaxSize"};
  EXPECT_EQ(documents.kubelet_fields, fields);
  EXPECT_EQ(documents.places.at("maxPods"), (Place{.file = "c.yaml", .line = 3, .column = 1}));
}

TEST(ConfigText, the_schedulers_configuration_stands_beside_them) {
  const auto parsed = parse_configuration(R"(apiVersion: berth.dev/v1alpha1
kind: BerthConfiguration
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
profiles:
- schedulerName: patient
  plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}
)",
                                          "c.yaml");
  ASSERT_TRUE(parsed.problems.empty()) << parsed.problems.front().to_string();
  const auto& scheduler = parsed.documents.scheduler;
  ASSERT_EQ(scheduler.profiles.size(), 1U);
  EXPECT_EQ(scheduler.profiles[0].schedulerName, "patient");
  EXPECT_FALSE(scheduler.profiles[0].preempts);
  EXPECT_EQ(scheduler.unused, std::vector<std::string>{"leaderElection"});
}

TEST(ConfigText, every_problem_of_the_schedulers_configuration_has_its_place) {
  const auto lines = problems_of(R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 101
profile: []
)");
  EXPECT_TRUE(mentions(lines, "c.yaml:3:27: percentageOfNodesToScore: "))
      << ::testing::PrintToString(lines);
  EXPECT_TRUE(mentions(lines, "c.yaml:4:1: profile: "));
  EXPECT_TRUE(mentions(problems_of("apiVersion: kubescheduler.config.k8s.io/v1beta3\n"
                                   "kind: KubeSchedulerConfiguration\n"),
                       "kubescheduler.config.k8s.io/v1beta3 is not supported"));
}

TEST(ConfigText, an_empty_file_is_no_configuration) {
  EXPECT_TRUE(problems_of("").empty());
  EXPECT_TRUE(problems_of("# nothing yet\n").empty());
}

TEST(ConfigText, all_problems_are_reported_at_once_with_their_places) {
  const auto lines = problems_of(R"(apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
maxPod: 7
readOnlyPort: many
readOnlyPort: 2
)");
  EXPECT_TRUE(mentions(lines, "c.yaml:3:1: maxPod: ")) << ::testing::PrintToString(lines);
  EXPECT_TRUE(mentions(lines, "maxPods")) << "the nearest name is suggested";
  EXPECT_TRUE(mentions(lines, "c.yaml:5:"));
  EXPECT_GE(lines.size(), 2U);
}

TEST(ConfigText, a_mistyped_field_hides_no_problem_of_the_others) {
  const auto parsed = parse_configuration(R"(apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
maxPods: many
evictionHard: {memory.available: [1]}
featureGates:
- x
readOnlyPort: 70000
)",
                                          "c.yaml");
  EXPECT_EQ(parsed.problems.size(), 3U);
  EXPECT_EQ(parsed.documents.kubelet.readOnlyPort, 70000) << "its value is checked by the settings";
}

TEST(ConfigText, another_kind_is_refused_by_name) {
  EXPECT_TRUE(
      mentions(problems_of("apiVersion: v1\nkind: Pod\n"), "is no configuration of berthd"));
}

TEST(ConfigText, a_kind_may_stand_there_once) {
  const std::string one = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";
  EXPECT_TRUE(mentions(problems_of(one + "---\n" + one), "a second BerthConfiguration"));
}

}  // namespace
}  // namespace berth::agent
