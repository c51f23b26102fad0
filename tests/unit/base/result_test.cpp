// SPDX-License-Identifier: Apache-2.0

#include "base/result.hpp"

#include <gtest/gtest.h>

#include "base/context.hpp"
#include "base/strong_id.hpp"

namespace berth {
namespace {

using namespace std::chrono_literals;

TEST(Error, wrapping_adds_a_clause_in_front_and_keeps_the_code) {
  const Error error = wrap("reading /etc/x", Error{ErrorCode::kNotFound, "no such file"});
  EXPECT_EQ(error, (Error{ErrorCode::kNotFound, "reading /etc/x: no such file"}));
}

TEST(Context, a_child_never_outlives_its_parent) {
  const Context parent{.deadline = SteadyTime{10s}};
  EXPECT_EQ(parent.with_deadline(SteadyTime{20s}).deadline, SteadyTime{10s});
  EXPECT_EQ(parent.with_deadline(SteadyTime{5s}).deadline, SteadyTime{5s});
  EXPECT_EQ(Context{}.with_deadline(SteadyTime{5s}).deadline, SteadyTime{5s});
}

template <class A, class B>
concept Comparable = requires(A a, B b) {
  a == b;
};

TEST(StrongId, ids_of_different_kinds_do_not_compare_or_convert) {
  using PodId = StrongId<struct PodIdTag>;
  using NodeId = StrongId<struct NodeIdTag>;
  static_assert(Comparable<PodId, PodId>);
  static_assert(!Comparable<PodId, NodeId>);
  static_assert(!std::is_convertible_v<std::string, PodId>);
  static_assert(!std::is_convertible_v<PodId, std::string>);
  EXPECT_LT(PodId("a"), PodId("b"));
  EXPECT_EQ(std::hash<PodId>{}(PodId("a")), std::hash<PodId>{}(PodId("a")));
}

}  // namespace
}  // namespace berth
