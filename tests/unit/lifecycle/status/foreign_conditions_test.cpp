// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/foreign_conditions.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

api::PodCondition condition(const char* type, const char* status) {
  return {.type = type, .status = status};
}

TEST(MaySetCondition, takes_what_a_readiness_gate_may_name) {
  for (const char* type : {"example.com/attached", "Attached", "a.b.c/d_e"})
    for (const char* status : {"True", "False", "Unknown"})
      EXPECT_TRUE(may_set_condition(condition(type, status))) << type;
}

TEST(MaySetCondition, refuses_what_is_no_name_what_is_the_nodes_and_what_is_no_status) {
  const struct {
    const char* type;
    const char* status;
    const char* says;
  } cases[] = {
      {"", "True", "type: Invalid value: \"\""},
      {"two words", "True", "type: Invalid value: \"two words\""},
      {"a/b/c", "True", "type: Invalid value"},
      {"Ready", "True", "type: Forbidden: \"Ready\""},
      {"PodScheduled", "False", "type: Forbidden"},
      {"ContainersReady", "True", "type: Forbidden"},
      {"PodResizePending", "True", "type: Forbidden"},
      {"DisruptionTarget", "True", "type: Forbidden"},
      {"example.com/x", "true", "status: Unsupported value: \"true\""},
      {"example.com/x", "", "status: Unsupported value"},
  };
  for (const auto& [type, status, says] : cases) {
    const auto may = may_set_condition(condition(type, status));
    ASSERT_FALSE(may) << type;
    EXPECT_EQ(may.error().code, ErrorCode::kInvalid);
    EXPECT_NE(may.error().message.find(says), std::string::npos) << may.error().message;
  }
}

TEST(PutCondition, the_time_of_a_transition_is_that_of_its_status) {
  std::vector<api::PodCondition> conditions;
  put_condition(conditions, condition("a", "False"), WallTime{10s});
  put_condition(conditions, condition("b", "True"), WallTime{11s});
  auto again = condition("a", "False");
  again.message = "still not";
  put_condition(conditions, again, WallTime{12s});
  ASSERT_EQ(conditions.size(), 2U);
  EXPECT_EQ(conditions[0].message, "still not");
  EXPECT_EQ(conditions[0].lastTransitionTime->at, WallTime{10s});
  put_condition(conditions, condition("a", "True"), WallTime{13s});
  EXPECT_EQ(conditions[0].lastTransitionTime->at, WallTime{13s});
  EXPECT_EQ(conditions[0].message, "");
}

}  // namespace
}  // namespace berth::lifecycle
