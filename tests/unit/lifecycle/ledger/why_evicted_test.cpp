// SPDX-License-Identifier: Apache-2.0

// The output of `why` for a pod that was evicted or stopped for a shutdown of the machine, and for
// its successor.
#include <algorithm>

#include <gtest/gtest.h>

#include "lifecycle/ending.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/ledger/eviction_record.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/why.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

LedgerRecord record_of(const char* uid, const char* kind, const char* text, double second) {
  return {.at = at(second),
          .uid = uid,
          .namespace_ = "default",
          .pod = "web",
          .kind = kind,
          .reasons = {{.subject = "pod", .rule = kind, .text = text}}};
}

bool says(const Why& story, std::string_view text) {
  return std::ranges::find(story.happened, text, &WhyLine::text) != story.happened.end();
}

TEST(WhyEvicted, names_the_pod_that_follows_an_evicted_one) {
  const std::string eviction(kLedgerEviction);
  const std::vector<LedgerRecord> records = {
      record_of("uid-1", eviction.c_str(), "evicted: memory.available<100Mi", 1),
      record_of("uid-2", "of a later version", "it is admitted", 20),
      record_of("uid-3", "of a later version", "it is admitted", 40)};
  const Why story = why({.records = records, .now = at(50)});
  EXPECT_TRUE(says(story,
                   "a new incarnation of the pod begins, uid uid-2: the successor of the "
                   "evicted one"));
  EXPECT_TRUE(says(story, "a new incarnation of the pod begins")) << "nobody evicted the second";
}

LedgerRecord grace_record(const api::Pod& spec, const Ending& order, std::int64_t previous,
                          double second) {
  const GraceQuestion question = grace_question(spec, order, previous);
  return decision_record(question, decide_grace(question), at(second));
}

std::vector<std::string> lines_of(const std::vector<LedgerRecord>& records) {
  std::vector<std::string> lines;
  for (const WhyLine& line : why({.records = records, .now = at(50)}).happened)
    lines.push_back(line.text);
  return lines;
}

TEST(WhyEvicted, states_once_why_the_pod_ends) {
  const api::Pod web = pod({container("app")});
  const std::vector<LedgerRecord> records = {
      grace_record(web, evicted("low on memory", std::chrono::seconds(5), at(1)), 0, 1),
      fact_record(web, at(1), "", StateEntered{"syncing", "ending", "the pod is Failed"}),
      fact_record(web, at(3), "", StateEntered{"ending", "ended", "nothing of it runs"})};
  EXPECT_EQ(lines_of(records),
            (std::vector<std::string>{
                "berthd terminates the pod: it was evicted; grace period 5 s, as was asked",
                "the pod has ended: nothing of it runs"}));
}

// The grace period was decided for the eviction, so there is no record of the order that removes
// the pod.
TEST(WhyEvicted, that_the_rest_of_the_pod_is_removed_does_not_follow_from_its_eviction) {
  const api::Pod web = pod({container("app")});
  const std::vector<LedgerRecord> records = {
      grace_record(web, evicted("low on memory", std::chrono::seconds(5), at(1)), 0, 1),
      fact_record(web, at(9), "", StateEntered{"ended", "removing", "the pod is to be removed"}),
      fact_record(web, at(9), "", PodRemoved{.cause = EndCause::kDeleted, .phase = "Failed"})};
  EXPECT_EQ(lines_of(records),
            (std::vector<std::string>{
                "berthd terminates the pod: it was evicted; grace period 5 s, as was asked",
                "berthd removes what is left of the pod",
                "the pod is removed: it was deleted through the control socket; it ended Failed"}));
}

TEST(WhyRemoved, a_removal_that_its_order_explains_needs_no_sentence_of_its_own) {
  const api::Pod web = pod({container("app")});
  std::vector<LedgerRecord> records = {
      grace_record(web, deleted({}, at(1)), 0, 1),
      fact_record(web, at(3), "", StateEntered{"ending", "ended", "nothing of it runs"}),
      fact_record(web, at(3), "", StateEntered{"ended", "removing", "the pod is to be removed"}),
      fact_record(web, at(4), "", PodRemoved{.cause = EndCause::kDeleted, .phase = "Failed"})};
  EXPECT_EQ(lines_of(records),
            (std::vector<std::string>{
                "berthd terminates the pod: it was deleted through the control socket; grace "
                "period 30 s, its terminationGracePeriodSeconds",
                "the pod has ended: nothing of it runs", "the pod is removed: it ended Failed"}));
  for (LedgerRecord& record : records) record.uid = "uid-2";
  records.front().uid = "uid-1";
  EXPECT_EQ(lines_of(records)[3], "berthd removes what is left of the pod")
      << "the order was given to an earlier incarnation";
}

TEST(WhyEvicted, says_when_the_next_one_follows_unless_none_does) {
  const std::vector<LedgerRecord> records;
  api::Pod evicted = pod({container("app")}, "Always");
  evicted.status.phase = "Failed";
  evicted.status.reason = "Evicted";
  WhyInput input{.records = records, .pod = &evicted, .now = at(9)};
  ASSERT_EQ(why(input).coming.size(), 1U);
  EXPECT_TRUE(why(input).coming.front().starts_with("Nothing: the pod stays Failed."))
      << "recreateEvicted: Never";
  input.recreates_evicted = true;
  EXPECT_EQ(
      why(input).coming,
      std::vector<std::string>{
          "The pod stays Failed. berthd starts a new incarnation once the node has no pressure "
          "condition any more, 10 s after the eviction at the earliest, and later the more "
          "often the pod was evicted; `berthctl delete pod web` starts one at once."});
  evicted.status.reason = "DeadlineExceeded";
  EXPECT_TRUE(why(input).coming.front().starts_with("Nothing: "));
}

TEST(WhyShutDown, a_pod_that_was_stopped_or_refused_says_that_it_returns) {
  const std::vector<LedgerRecord> records;
  api::Pod stopped = pod({container("app")}, "Always");
  const WhyInput input{.records = records, .pod = &stopped, .now = at(9)};
  const std::string returns =
      "The pod stays Failed. berthd starts a new incarnation once the machine has booted "
      "again, or the shutdown is cancelled; `berthctl delete pod web` starts one at once.";
  stopped.status.phase = "Failed";
  stopped.status.reason = "Terminated";
  EXPECT_TRUE(why(input).coming.front().starts_with("Nothing: ")) << "nobody shut down the node";
  stopped.status = failed_status(stopped, {}, *node_shutdown({}, {}).failure, {});
  EXPECT_EQ(why(input).coming, std::vector<std::string>{returns});
  stopped.spec.restartPolicy = "Never";
  EXPECT_TRUE(why(input).coming.front().starts_with("Nothing: ")) << "one that never restarts";
  stopped.status = {.phase = "Failed", .reason = "NodeShutdown"};
  EXPECT_EQ(why(input).coming, std::vector<std::string>{returns}) << "it has not begun yet";
}

}  // namespace
}  // namespace berth::lifecycle::test
