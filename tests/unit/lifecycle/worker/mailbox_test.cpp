// SPDX-License-Identifier: Apache-2.0

// The result of two orders that a busy worker finds together.
#include "lifecycle/worker/mailbox.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

PodOrders with_end(EndCause cause, std::optional<std::chrono::seconds> grace, WallTime at = {}) {
  PodOrders orders;
  orders.end = Ending{.cause = cause, .grace = grace, .requested_at = at};
  return orders;
}

TEST(Mailbox, a_request_to_end_sticks) {
  PodOrders news;
  news.objects_changed = true;
  const PodOrders merged = merge(with_end(EndCause::kManifestRemoved, std::nullopt), news);
  ASSERT_TRUE(merged.end);
  EXPECT_TRUE(merged.objects_changed);
}

TEST(Mailbox, a_grace_period_only_shrinks) {
  struct Case {
    std::optional<std::chrono::seconds> first, second, merged;
  };
  const Case cases[] = {
      {std::nullopt, std::nullopt, std::nullopt},
      {std::nullopt, 5s, 5s},
      {5s, std::nullopt, 5s},
      {30s, 5s, 5s},
      {5s, 30s, 5s},
  };
  for (const Case& c : cases) {
    const PodOrders merged =
        merge(with_end(EndCause::kDeleted, c.first), with_end(EndCause::kDeleted, c.second));
    EXPECT_EQ(merged.end->grace, c.merged);
  }
}

TEST(Mailbox, a_deletion_outweighs_a_removed_manifest_and_the_earlier_instant_counts) {
  const PodOrders merged = merge(with_end(EndCause::kManifestRemoved, std::nullopt, WallTime{7s}),
                                 with_end(EndCause::kDeleted, std::nullopt, WallTime{9s}));
  EXPECT_EQ(merged.end->cause, EndCause::kDeleted);
  EXPECT_EQ(merged.end->requested_at, WallTime{7s});
}

TEST(Mailbox, force_sticks_and_a_collected_pod_that_loses_its_manifest_is_simply_gone) {
  PodOrders forced = with_end(EndCause::kDeleted, 1s);
  forced.end->then = Afterwards::kRemoveUnseen;
  EXPECT_TRUE(by_force(*merge(forced, with_end(EndCause::kDeleted, std::nullopt)).end));
  EXPECT_TRUE(by_force(*merge(with_end(EndCause::kDeleted, std::nullopt), forced).end));
  EXPECT_EQ(merge(with_end(EndCause::kCollected, std::nullopt),
                  with_end(EndCause::kManifestRemoved, std::nullopt))
                .end->cause,
            EndCause::kManifestRemoved);
}

TEST(Mailbox, of_each_condition_the_newest_counts) {
  PodOrders first;
  first.conditions["a"] = {.type = "a", .status = "False"};
  first.conditions["b"] = {.type = "b", .status = "True"};
  PodOrders second;
  second.conditions["a"] = {.type = "a", .status = "True"};
  EXPECT_FALSE(second.empty());
  const PodOrders merged = merge(first, second);
  EXPECT_EQ(merged.conditions.at("a").status, "True");
  EXPECT_EQ(merged.conditions.at("b").status, "True");
}

TEST(Mailbox, news_add_up_and_a_doubled_event_adds_only_what_was_missing) {
  PodOrders first;
  first.stopped["a"] = {.at = 1};
  first.stopped["b"] = {.at = 2, .exit_code = 3};
  PodOrders second;
  second.stopped["a"] = {.at = 4, .exit_code = 5};
  second.stopped["b"] = {.at = 6, .exit_code = 7};
  second.inspect = true;
  second.runtime_back = true;
  second.objects_changed = true;
  EXPECT_FALSE(second.empty());
  const PodOrders merged = merge(first, second);
  EXPECT_EQ(merged.stopped.at("a").exit_code, 5);
  EXPECT_EQ(merged.stopped.at("b").exit_code, 3);
  EXPECT_TRUE(merged.inspect);
  EXPECT_TRUE(merged.runtime_back);
  EXPECT_TRUE(merged.objects_changed);
}

TEST(Mailbox, nothing_merged_with_nothing_is_empty) {
  EXPECT_TRUE(merge(PodOrders{}, PodOrders{}).empty());
}

}  // namespace
}  // namespace berth::lifecycle
