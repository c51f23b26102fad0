// SPDX-License-Identifier: Apache-2.0

// What the API server and the controller manager decide about a pod's end.
#include "lifecycle/deletion_period.hpp"

#include <gtest/gtest.h>

#include "lifecycle/pod_gc.hpp"

namespace berth::lifecycle {
namespace {

using Seconds = std::optional<std::int64_t>;

TEST(DeletionPeriod, is_the_api_servers) {
  struct Case {
    const char* what;
    DeletionSituation situation;
    DeletionPeriod expected;
  };
  const Case cases[] = {
      {"the pod's own", {.own = 30, .phase = "Running"}, {30}},
      {"what was asked for", {.requested = 5, .own = 30, .phase = "Running"}, {5}},
      {"longer is possible", {.requested = 60, .own = 30, .phase = "Running"}, {60}},
      {"negative is 1", {.requested = -1, .own = 30, .phase = "Running"}, {1}},
      {"negative of its own is 1", {.own = -5, .phase = "Running"}, {1}},
      {"forced", {.requested = 0, .own = 30, .phase = "Running"}, {0}},
      {"no period at all", {.phase = "Running"}, {0}},
      {"never placed", {.own = 30, .placed = false, .phase = "Pending"}, {0}},
      {"never placed, asked", {.requested = 9, .placed = false, .phase = "Pending"}, {0}},
      {"succeeded", {.requested = 9, .own = 30, .phase = "Succeeded"}, {0}},
      {"failed", {.own = 30, .phase = "Failed"}, {0}},
      {"again, the same", {.own = 30, .phase = "Running", .in_force = 30}, {30, false}},
      {"again, longer", {.requested = 31, .phase = "Running", .in_force = 30}, {30, false}},
      {"again, as long", {.requested = 30, .phase = "Running", .in_force = 30}, {30, false}},
      {"again, shorter", {.requested = 29, .phase = "Running", .in_force = 30}, {29, true}},
      {"again, negative", {.requested = -3, .phase = "Running", .in_force = 30}, {1, true}},
      {"again, forced", {.requested = 0, .phase = "Running", .in_force = 30}, {0, true}},
      {"again, forced at 1", {.requested = 0, .phase = "Running", .in_force = 1}, {0, true}},
  };
  for (const Case& one : cases) EXPECT_EQ(deletion_period(one.situation), one.expected) << one.what;
}

TEST(DeletionPeriod, is_said_with_its_reason) {
  struct Case {
    DeletionSituation situation;
    const char* rule;
    const char* text;
  };
  const Case cases[] = {
      {{.own = 30, .phase = "Running"}, "Deletion", "it was deleted with 30 s, its own period"},
      {{.requested = 5, .phase = "Running"}, "Deletion", "it was deleted with 5 s, as was asked"},
      {{.requested = 0, .phase = "Running"}, "DeletionForced", "it was deleted at once"},
      {{.own = 30, .placed = false}, "DeletionUnplaced", "it was deleted and has never been run"},
      {{.own = 30, .phase = "Failed"}, "DeletionFinished", "it was deleted and is Failed already"},
      {{.requested = 9, .in_force = 30}, "DeletionSooner", "it was deleted again with 9 s"},
      {{.requested = 60, .in_force = 30},
       "DeletionNoSooner",
       "another deletion with 60 s is not sooner than the 30 s that the pod has"},
      {{.in_force = 30},
       "DeletionNoSooner",
       "another deletion is not sooner than the 30 s that the pod has"},
  };
  const api::Pod pod;
  for (const auto& [situation, rule, text] : cases) {
    const DeletionQuestion question{.pod = pod, .situation = situation};
    const Reason reason = deletion_reason(question, deletion_period(situation));
    EXPECT_EQ(reason.rule, rule);
    EXPECT_EQ(reason.text, text);
  }
}

api::Pod finished(const char* name, std::int64_t created, const char* reason = "",
                  const char* phase = "Failed") {
  api::Pod pod;
  pod.metadata.name = name;
  pod.metadata.uid = name;
  pod.metadata.creationTimestamp = api::Time::from_unix_seconds(created);
  pod.status.phase = phase;
  pod.status.reason = reason;
  return pod;
}

std::vector<std::string> collected(const std::vector<api::Pod>& pods, std::int64_t threshold) {
  std::vector<const api::Pod*> pointers;
  pointers.reserve(pods.size());
  for (const api::Pod& pod : pods) pointers.push_back(&pod);
  std::vector<std::string> uids;
  for (const CollectionQuestion& question : pods_to_collect(pointers, threshold))
    uids.push_back(question.pod->metadata.uid);
  return uids;
}

using Names = std::vector<std::string>;

TEST(PodGc, evicted_ones_go_first_then_the_oldest_and_ties_go_by_name) {
  const std::vector<api::Pod> pods = {finished("c", 10), finished("b", 10),
                                      finished("old", 5, "", "Succeeded"),
                                      finished("e", 20, "Evicted"), finished("new", 30)};
  EXPECT_EQ(collected(pods, 5), Names{});
  EXPECT_EQ(collected(pods, 4), Names{"e"});
  EXPECT_EQ(collected(pods, 2), (Names{"e", "old", "b"}));
  EXPECT_EQ(collected(pods, 1), (Names{"e", "old", "b", "c"}));
}

TEST(PodGc, what_has_not_ended_neither_counts_nor_goes) {
  const std::vector<api::Pod> pods = {finished("a", 1, "", "Running"),
                                      finished("b", 2, "", "Pending"), finished("c", 3)};
  EXPECT_EQ(collected(pods, 1), Names{});
}

TEST(PodGc, each_goes_by_its_own_place_among_the_finished) {
  const std::vector<api::Pod> pods = {finished("a", 1), finished("b", 2), finished("c", 3)};
  const auto goes = [&pods](std::int64_t before) {
    return decide_collection({.pod = pods[0], .finished = 3, .before = before, .threshold = 2})
        .collect;
  };
  EXPECT_TRUE(goes(0));
  EXPECT_FALSE(goes(1));
}

TEST(PodGc, zero_and_less_mean_never) {
  const std::vector<api::Pod> pods = {finished("a", 1), finished("b", 2)};
  EXPECT_EQ(collected(pods, 0), Names{});
  EXPECT_EQ(collected(pods, -1), Names{});
}

TEST(PodGc, evicted_is_only_what_failed_for_it) {
  const std::vector<api::Pod> pods = {finished("a", 1), finished("b", 2, "Evicted", "Succeeded")};
  EXPECT_EQ(collected(pods, 1), Names{"a"});
}

}  // namespace
}  // namespace berth::lifecycle
