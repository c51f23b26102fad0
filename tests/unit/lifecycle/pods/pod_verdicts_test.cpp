// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_verdicts.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/admission/unschedulable.hpp"
#include "node/sandbox_config.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

// Accepts every batch, in the order of the calls, unless it is full.
class MemoryStore final : public PodStore {
 public:
  std::vector<PodMemoryPtr> recall() override { return at_start; }
  boost::asio::awaitable<Result<bool>> commit(StoreBatch batch) override {
    ++commits;
    if (full) co_return fail(ErrorCode::kUnavailable, "the disk is full");
    for (const std::string& uid : batch.forget) rows.erase(uid);
    for (const PodMemoryPtr& memory : batch.keep) rows.insert_or_assign(memory->uid, memory);
    co_return true;
  }

  std::vector<PodMemoryPtr> at_start{};
  std::map<std::string, PodMemoryPtr> rows{};
  bool full = false;
  int commits = 0;
};

std::shared_ptr<api::Pod> pod(const char* uid, const char* name = "web") {
  auto made = std::make_shared<api::Pod>();
  made->metadata.uid = uid;
  made->metadata.name = name;
  made->metadata.namespace_ = "default";
  return made;
}

PodMemoryPtr memory(const char* uid, Verdict verdict, const char* name = "web") {
  auto made = std::make_shared<PodMemory>();
  made->uid = uid;
  made->pod = pod(uid, name);
  made->verdict = verdict;
  return made;
}

class PodVerdictsTest : public LoopFixture {
 protected:
  void recall(std::vector<PodMemoryPtr> memories) {
    for (const PodMemoryPtr& one : memories) store.rows.insert_or_assign(one->uid, one);
    store.at_start = std::move(memories);
    verdicts.recall();
  }
  PodRecord& add(const char* uid, RecordState state) {
    auto record = records.make(pod(uid));
    record->state = state;
    return records.add(std::move(record));
  }
  std::map<std::string, PodPtr> desired(std::vector<PodPtr> pods) {
    std::map<std::string, PodPtr> by_uid;
    for (PodPtr& one : pods) by_uid.emplace(one->metadata.uid, one);
    return by_uid;
  }
  boost::asio::awaitable<void> reject(PodPtr rejected) {
    auto shown = std::make_shared<api::Pod>(*rejected);
    shown->status.phase = "Failed";
    const bool stands = co_await verdicts.store_rejection(rejected, shown);
    log.emplace_back(stands ? "stored" : "fell");
  }
  [[nodiscard]] Verdict stored(const char* uid) const {
    const auto row = store.rows.find(uid);
    return row == store.rows.end() ? Verdict::kNone : row->second->verdict;
  }

  MemoryStore store{};
  agent::RecordedLog warnings{};
  PodRecords records{};
  int settled = 0;
  PodVerdicts verdicts{
      {.store = store, .clock = clock, .log = warnings}, tasks, records, [this] { ++settled; }};
};

TEST(ToBeCollected, what_reappeared_is_removed_at_once_and_was_evicted_all_the_same) {
  const WallTime now{std::chrono::seconds(1'700'000'000)};
  PodMemory plain = *memory("plain", Verdict::kCollected);
  auto spec = pod("plain");
  spec->spec.terminationGracePeriodSeconds = 30;
  plain.pod = spec;
  PodMemory evicted_one = plain;
  evicted_one.end =
      EndInForce{.ending = evicted("low", std::chrono::seconds(20), {}), .grace_seconds = 20};
  for (const PodMemory& collected_one : {plain, evicted_one}) {
    const PodMemoryPtr gone = to_be_collected(collected_one, now);
    EXPECT_EQ(gone->verdict, Verdict::kCompleted);
    ASSERT_TRUE(removes(gone->end));
    EXPECT_EQ(gone->end->grace_seconds, 1);
    EXPECT_EQ(gone->end->ending.cause, EndCause::kCollected);
    EXPECT_EQ(gone->end->ending.requested_at, now);
    EXPECT_EQ(gone->end->ending.failure.has_value(), collected_one.end.has_value());
  }
}

TEST_F(PodVerdictsTest, an_ended_incarnation_is_known_to_its_successor_alone) {
  recall({memory("old", Verdict::kEnded), memory("other", Verdict::kEnded, "db"),
          memory("runs", Verdict::kNone)});
  EXPECT_EQ(verdicts.memory_of("old"), nullptr);
  EXPECT_NE(verdicts.memory_of("runs"), nullptr);
  EXPECT_EQ(verdicts.memory_of("never"), nullptr);
  EXPECT_EQ(verdicts.ended_before(*pod("new")), std::vector<std::string>{"old"});
  EXPECT_TRUE(verdicts.ended_before(*pod("old")).empty());
  EXPECT_EQ(verdicts.all().size(), 3U);
}

TEST_F(PodVerdictsTest, what_is_neither_desired_nor_over_has_to_be_ended) {
  recall({memory("desired", Verdict::kNone), memory("left", Verdict::kNone),
          memory("rejected", Verdict::kRejected), memory("ended", Verdict::kEnded),
          memory("collected", Verdict::kCollected)});
  EXPECT_EQ(verdicts.undesired(desired({pod("desired")})),
            (std::set<std::string>{"left", "rejected"}));
}

TEST_F(PodVerdictsTest, a_pod_keeps_the_priority_that_it_was_admitted_with) {
  auto admitted = std::make_shared<PodMemory>(*memory("a", Verdict::kNone));
  auto as_admitted = pod("a");
  as_admitted->spec.priority = 100;
  as_admitted->spec.priorityClassName = "high";
  admitted->pod = as_admitted;
  recall({admitted});
  auto now = pod("a");
  now->spec.priority = 5;
  const PodPtr kept = verdicts.with_admitted_priority(now);
  EXPECT_EQ(kept->spec.priority, 100);
  EXPECT_EQ(kept->spec.priorityClassName, "high");
  EXPECT_EQ(now->spec.priority, 5) << "pods are values";
  const PodPtr other = pod("b");
  EXPECT_EQ(verdicts.with_admitted_priority(other), other);
}

TEST_F(PodVerdictsTest, an_edited_pod_is_not_remembered_and_gets_its_own_priority) {
  auto admitted = std::make_shared<PodMemory>(*memory("a", Verdict::kNone));
  auto as_admitted = pod("a");
  as_admitted->spec.priority = 100;
  as_admitted->metadata.annotations[node::kAnnotationManifest] = "1";
  admitted->pod = as_admitted;
  recall({admitted});
  EXPECT_TRUE(verdicts.remembers(*as_admitted));
  auto edited = pod("a");
  edited->metadata.annotations[node::kAnnotationManifest] = "2";
  EXPECT_FALSE(verdicts.remembers(*edited));
  EXPECT_EQ(verdicts.with_admitted_priority(edited), edited);
}

TEST_F(PodVerdictsTest, a_forgotten_pod_is_known_to_have_ended_until_its_row_is_gone) {
  recall({memory("a", Verdict::kNone)});
  store.full = true;
  verdicts.forget(pod("a"));
  EXPECT_TRUE(verdicts.is_being_stored("a"));
  drain();
  EXPECT_EQ(verdicts.ended_before(*pod("next")), std::vector<std::string>{"a"});
  EXPECT_TRUE(store.rows.contains("a"));
  store.full = false;
  clock.advance(10s);
  EXPECT_FALSE(store.rows.contains("a"));
  EXPECT_FALSE(verdicts.is_being_stored("a"));
  EXPECT_TRUE(verdicts.all().empty());
  EXPECT_EQ(settled, 1);
  EXPECT_GE(warnings.lines.size(), 1U);
}

TEST_F(PodVerdictsTest, an_end_with_a_successor_is_stored_and_takes_earlier_ends_along) {
  recall({memory("first", Verdict::kEnded)});
  PodRecord record;
  record.pod = pod("second");
  verdicts.remember_ended(record);
  drain();
  EXPECT_EQ(stored("second"), Verdict::kEnded);
  EXPECT_FALSE(store.rows.contains("first"));
  EXPECT_EQ(verdicts.ended_before(*pod("third")), std::vector<std::string>{"second"});
}

TEST_F(PodVerdictsTest, the_end_of_a_pod_that_only_the_runtime_knew_takes_no_other_along) {
  recall({memory("second", Verdict::kEnded)});
  PodRecord record;
  record.pod = pod("first");
  record.unknown = true;
  verdicts.remember_ended(record);
  drain();
  EXPECT_EQ(stored("first"), Verdict::kEnded);
  EXPECT_EQ(stored("second"), Verdict::kEnded);
}

TEST_F(PodVerdictsTest, a_pod_that_made_room_is_remembered_as_such) {
  PodRecord record;
  record.pod = pod("a");
  auto shown = pod("a");
  shown->status.conditions.push_back(preempted_condition(*shown, "for another"));
  record.shown = shown;
  EXPECT_FALSE(verdicts.was_preempted(*pod("next")));
  verdicts.remember_ended(record);
  drain();
  EXPECT_TRUE(verdicts.was_preempted(*pod("next")));
  EXPECT_FALSE(verdicts.was_preempted(*pod("next", "db")));
}

TEST_F(PodVerdictsTest, a_later_verdict_is_not_overwritten_by_one_that_the_disk_did_not_take) {
  store.full = true;
  PodRecord record;
  record.pod = pod("a");
  verdicts.remember_ended(record);
  drain();
  verdicts.forget(pod("a"));
  store.full = false;
  clock.advance(1min);
  EXPECT_FALSE(store.rows.contains("a"));
  EXPECT_EQ(settled, 2);
}

TEST_F(PodVerdictsTest, a_verdict_falls_when_the_uid_lives_again) {
  store.full = true;
  PodRecord record;
  record.pod = pod("a");
  verdicts.remember_ended(record);
  drain();
  add("a", RecordState::kWorking);
  store.full = false;
  const int before = store.commits;
  clock.advance(1min);
  EXPECT_EQ(store.commits, before);
  EXPECT_EQ(settled, 1);
}

TEST_F(PodVerdictsTest, a_verdict_stands_while_the_next_pod_of_that_uid_waits_to_be_let_in) {
  recall({memory("a", Verdict::kRejected)});
  store.full = true;
  PodRecord record;
  record.pod = pod("a");
  verdicts.drop("a");
  verdicts.remember_ended(record);
  drain();
  add("a", RecordState::kWanted);
  EXPECT_TRUE(verdicts.is_being_stored("a"));
  store.full = false;
  clock.advance(1min);
  EXPECT_EQ(stored("a"), Verdict::kEnded) << "the next berthd would take it for refused";
  EXPECT_FALSE(verdicts.is_being_stored("a"));
}

TEST_F(PodVerdictsTest, an_end_is_not_stored_over_the_rejection_of_the_next_pod_of_that_uid) {
  store.full = true;
  PodRecord ended;
  ended.pod = pod("a");
  verdicts.remember_ended(ended);
  drain();
  const PodRecord& next = add("a", RecordState::kRejected);
  spawn_and_drain(reject(next.pod));
  EXPECT_TRUE(verdicts.is_being_stored("a"));
  store.full = false;
  clock.advance(1min);
  EXPECT_EQ(stored("a"), Verdict::kRejected);
  EXPECT_FALSE(verdicts.is_being_stored("a"));
  EXPECT_TRUE(verdicts.all().empty());
}

TEST_F(PodVerdictsTest, a_collected_pod_is_known_while_its_manifest_stands) {
  PodRecord& kept = add("a", RecordState::kCollected);
  verdicts.remember_collected(kept);
  drain();
  EXPECT_EQ(stored("a"), Verdict::kCollected);
  verdicts.forget_undesired(desired({kept.pod}));
  drain();
  EXPECT_EQ(stored("a"), Verdict::kCollected);
  static_cast<void>(records.remove("a"));
  verdicts.forget_undesired(desired({pod("a")}));
  drain();
  EXPECT_EQ(stored("a"), Verdict::kCollected);
  verdicts.forget_undesired(desired({}));
  drain();
  EXPECT_FALSE(store.rows.contains("a"));
}

TEST_F(PodVerdictsTest, an_ended_pod_is_known_while_its_name_is_desired) {
  recall({memory("a", Verdict::kEnded), memory("b", Verdict::kEnded, "db")});
  verdicts.forget_undesired(desired({pod("next")}));
  drain();
  EXPECT_TRUE(store.rows.contains("a"));
  EXPECT_FALSE(store.rows.contains("b"));
}

TEST_F(PodVerdictsTest, a_rejection_is_shown_once_it_is_stored) {
  recall({memory("old", Verdict::kEnded)});
  const PodRecord& record = add("a", RecordState::kRejected);
  store.full = true;
  spawn_and_drain(reject(record.pod));
  clock.advance(1s);
  EXPECT_TRUE(log.empty());
  store.full = false;
  clock.advance(10s);
  EXPECT_EQ(log, std::vector<std::string>{"stored"});
  EXPECT_EQ(stored("a"), Verdict::kRejected);
  EXPECT_FALSE(store.rows.contains("old"));
}

TEST_F(PodVerdictsTest, a_rejection_falls_when_another_pod_has_the_uid) {
  PodRecord& record = add("a", RecordState::kRejected);
  store.full = true;
  spawn_and_drain(reject(record.pod));
  record.pod = pod("a");
  store.full = false;
  clock.advance(10s);
  EXPECT_EQ(log, std::vector<std::string>{"fell"});
  EXPECT_EQ(stored("a"), Verdict::kNone);
}

TEST_F(PodVerdictsTest, what_is_dropped_is_not_known_any_more) {
  recall({memory("ended", Verdict::kEnded), memory("runs", Verdict::kNone)});
  verdicts.drop_ended("runs");
  EXPECT_NE(verdicts.memory_of("runs"), nullptr);
  verdicts.drop_ended("ended");
  EXPECT_TRUE(verdicts.ended_before(*pod("next")).empty());
  verdicts.drop("runs");
  EXPECT_TRUE(verdicts.all().empty());
}

}  // namespace
}  // namespace berth::lifecycle
