// SPDX-License-Identifier: Apache-2.0

// A reload is applied as a whole, or not at all.
#include "agent/settings/reload_decision.hpp"

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"

namespace berth::agent {
namespace {

constexpr const char* kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";
constexpr const char* kBerth = "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";

LoadedSettings loaded(const std::string& kubelet, const std::string& berth = {}) {
  auto parsed = parse_configuration(kKubelet + kubelet + kBerth + berth, "c.yaml");
  LoadedSettings out{.problems = std::move(parsed.problems)};
  out.settings = resolve_settings(parsed.documents, {}, "host1", out.problems);
  return out;
}

bool evicts_at(const Settings& settings, eviction::Signal signal) {
  for (const auto& threshold : settings.eviction.config.thresholds)
    if (threshold.signal == signal) return true;
  return false;
}

TEST(ReloadDecision, refuses_the_whole_file_for_one_problem_and_names_all) {
  const auto decision = decide_reload(loaded("").settings,
                                      loaded("maxPods: -1\nevictionHard: {memory.available: x}\n",
                                             "logLevel: loud\nrelistPeriod: 9s\n"));
  EXPECT_EQ(decision.problems.size(), 3U);
  EXPECT_TRUE(decision.changes.empty());
  EXPECT_FALSE(decision.evicts_nobody_at_once);
}

TEST(ReloadDecision, refuses_what_is_no_yaml) {
  EXPECT_FALSE(decide_reload(loaded("").settings, loaded("maxPods: [\n")).problems.empty());
}

TEST(ReloadDecision, brings_into_force_what_can_change_and_leaves_the_rest) {
  const auto before = loaded("maxPods: 7\n").settings;
  const auto file = loaded("maxPods: 3\nevictionMaxPodGracePeriod: 9\nhairpinMode: none\n",
                           "logLevel: debug\nrelistPeriod: 9s\nrecreateEvicted: Never\n");
  const auto decision = decide_reload(before, file);
  Settings expected = before;
  expected.log_level = LogLevel::kDebug;
  expected.eviction.config.max_pod_grace_period = 9;
  expected.unused_fields = {"hairpinMode"};
  EXPECT_EQ(decision.settings, expected);
  EXPECT_EQ(decision.changes.size(), 5U);
  EXPECT_EQ(decision.new_unused_fields, std::vector<std::string>{"hairpinMode"});
  std::vector<std::string> pending;
  for (const auto& change : pending_changes(decision.changes)) pending.push_back(change.field);
  EXPECT_EQ(pending, (std::vector<std::string>{"maxPods", "recreateEvicted", "relistPeriod"}));
}

TEST(ReloadDecision, takes_over_which_files_there_are) {
  auto before = loaded("").settings;
  before.drop_ins = {"c.yaml.d/1.yaml"};
  auto file = loaded("");
  file.settings.drop_ins = {"c.yaml.d/2.yaml"};
  EXPECT_EQ(decide_reload(before, file).settings.drop_ins, file.settings.drop_ins);
  file.settings.drop_ins.clear();
  EXPECT_TRUE(decide_reload(before, file).settings.drop_ins.empty());
}

TEST(ReloadDecision, names_what_still_waits_at_every_reload_until_the_restart) {
  const auto start = loaded("maxPods: 7\n").settings;
  const auto file = loaded("maxPods: 3\n");
  const auto first = decide_reload(start, file);
  EXPECT_EQ(decide_reload(first.settings, file).changes, first.changes);
  EXPECT_TRUE(decide_reload(first.settings, loaded("maxPods: 7\n")).changes.empty());
}

TEST(ReloadDecision, a_field_that_waits_does_not_reach_eviction_by_another_way) {
  const auto before = loaded("").settings;
  ASSERT_TRUE(evicts_at(before, eviction::Signal::kAllocatableMemoryAvailable));
  const auto decision = decide_reload(
      before, loaded("enforceNodeAllocatable: [none]\n", "staticPodsAreCritical: true\n"));
  EXPECT_EQ(decision.settings, before);
  EXPECT_EQ(pending_changes(decision.changes).size(), 2U);

  const auto without = loaded("enforceNodeAllocatable: [none]\n").settings;
  const auto limited = decide_reload(without, loaded("evictionHard: {memory.available: 1Gi}\n"));
  EXPECT_FALSE(evicts_at(limited.settings, eviction::Signal::kAllocatableMemoryAvailable));
  EXPECT_TRUE(evicts_at(limited.settings, eviction::Signal::kMemoryAvailable));
}

TEST(ReloadDecision, whether_local_storage_is_isolated_waits_as_a_whole) {
  const auto before = loaded("").settings;
  const auto decision = decide_reload(before, loaded("localStorageCapacityIsolation: false\n"));
  EXPECT_EQ(decision.settings, before);
  ASSERT_EQ(pending_changes(decision.changes).size(), 1U);
  EXPECT_EQ(pending_changes(decision.changes)[0].field, "localStorageCapacityIsolation");
}

TEST(ReloadDecision, other_thresholds_are_measured_first_unless_they_may_evict_at_once) {
  const auto before = loaded("").settings;
  const char* other = "evictionHard: {memory.available: 1Gi}\n";
  EXPECT_TRUE(decide_reload(before, loaded(other)).evicts_nobody_at_once);
  EXPECT_FALSE(decide_reload(before, loaded(other, "evictAtOnce: true\n")).evicts_nobody_at_once);
  EXPECT_FALSE(decide_reload(before, loaded("maxPods: 3\n")).evicts_nobody_at_once);
}

TEST(ReloadDecision, sums_up) {
  const auto sum = [](const LoadedSettings& file) {
    return reload_summary(decide_reload(loaded("").settings, file).changes);
  };
  EXPECT_EQ(sum(loaded("")), "the configuration was read again; nothing has changed");
  EXPECT_EQ(sum(loaded("maxPods: 3\n")),
            "the configuration was read again: 1 takes effect when berthd is restarted");
  EXPECT_EQ(sum(loaded("maxPods: 3\nmaxParallelImagePulls: 2\n", "logLevel: warn\n")),
            "the configuration was read again: 1 change is in force; 3 take effect when berthd is "
            "restarted");
}

}  // namespace
}  // namespace berth::agent
