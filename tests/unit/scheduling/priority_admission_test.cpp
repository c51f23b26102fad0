// SPDX-License-Identifier: Apache-2.0

#include "scheduling/priority_admission.hpp"

#include <gtest/gtest.h>

#include "scheduling/priority_class_admission.hpp"

namespace berth::scheduling {
namespace {

api::PriorityClass priority_class(const char* name, std::int32_t value, bool is_default = false) {
  api::PriorityClass made{.value = value, .globalDefault = is_default};
  made.metadata.name = name;
  made.preemptionPolicy = "PreemptLowerPriority";
  return made;
}

api::Pod pod_of_class(const char* name) {
  api::Pod pod;
  pod.metadata.name = "p";
  pod.spec.priorityClassName = name;
  return pod;
}

TEST(PriorityAdmission, a_pod_gets_the_value_of_its_class) {
  const auto classes = with_built_in({priority_class("high", 1000)});
  const std::pair<const char*, std::int32_t> cases[] = {{"", 0},
                                                        {"high", 1000},
                                                        {"system-cluster-critical", 2000000000},
                                                        {"system-node-critical", 2000001000}};
  for (const auto& [name, value] : cases) {
    const auto resolved = resolve_priority(pod_of_class(name), classes);
    ASSERT_TRUE(resolved.has_value()) << name;
    EXPECT_EQ(resolved->priority, value) << name;
    EXPECT_EQ(resolved->class_name, name);
  }
}

TEST(PriorityAdmission, the_lowest_of_several_defaults_counts) {
  const auto resolved = resolve_priority(
      pod_of_class(""),
      with_built_in({priority_class("a", 100, true), priority_class("b", 10, true)}));
  ASSERT_TRUE(resolved.has_value());
  EXPECT_EQ(resolved->class_name, "b");
}

TEST(PriorityAdmission, an_unknown_class_is_refused) {
  const auto resolved = resolve_priority(pod_of_class("none"), built_in_priority_classes());
  ASSERT_FALSE(resolved.has_value());
  EXPECT_EQ(resolved.error().code, 403);
  EXPECT_EQ(resolved.error().message,
            "pods \"p\" is forbidden: no PriorityClass with name none was found");
}

TEST(PriorityAdmission, a_number_beside_the_class_must_be_the_classs_own) {
  api::Pod pod = pod_of_class("high");
  const auto classes = with_built_in({priority_class("high", 1000)});
  pod.spec.priority = 1000;
  EXPECT_TRUE(resolve_priority(pod, classes).has_value());
  pod.spec.priority = 999;
  EXPECT_FALSE(resolve_priority(pod, classes).has_value());
}

TEST(PriorityAdmission, the_result_is_written_into_the_pod) {
  api::Pod pod = pod_of_class("");
  apply_priority(pod, {.priority = 5, .class_name = "c", .preemption_policy = "Never"});
  EXPECT_EQ(pod.spec.priority, 5);
  EXPECT_EQ(pod.spec.priorityClassName, "c");
  EXPECT_EQ(pod.spec.preemptionPolicy, "Never");
}

TEST(PriorityClassAdmission, rules_of_fields_come_before_the_second_default_and_the_taken_name) {
  const std::vector<api::PriorityClass> existing = {priority_class("a", 1, true)};
  const struct {
    api::PriorityClass created;
    int code;
  } cases[] = {
      {priority_class("b", 1), 0},
      {priority_class("b", 1000000001), 422},
      {priority_class("system-mine", 1), 422},
      {priority_class("b", 1, true), 403},
      {priority_class("B", 1, true), 422},
      {priority_class("a", 1, true), 403},
      {priority_class("a", 1), 409},
  };
  for (const auto& one : cases) {
    const auto refusal = refuse_priority_class(one.created, existing);
    EXPECT_EQ(refusal ? refusal->code : 0, one.code) << one.created.metadata.name;
  }
}

TEST(PriorityClassAdmission, a_value_never_changes) {
  const auto refusal =
      refuse_priority_class_update(priority_class("a", 2), priority_class("a", 1), {});
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->message,
            "PriorityClass.scheduling.k8s.io \"a\" is invalid: value: Forbidden: may not be "
            "changed in an update.");
}

}  // namespace
}  // namespace berth::scheduling
