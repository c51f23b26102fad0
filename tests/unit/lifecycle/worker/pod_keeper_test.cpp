// SPDX-License-Identifier: Apache-2.0

// What must be durable before what.
#include "lifecycle/worker/pod_keeper.hpp"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

// Completes a commit when the test lets it.
class Disk final : public PodStore {
 public:
  explicit Disk(boost::asio::any_io_executor executor) : turns_(std::move(executor)) {}
  std::vector<PodMemoryPtr> recall() override { return {}; }
  boost::asio::awaitable<Result<bool>> commit(StoreBatch batch) override {
    batches.push_back(std::move(batch));
    co_await turns_.wait();
    if (broken) co_return fail(ErrorCode::kUnavailable, "no space left on device");
    co_return true;
  }
  void turn() { turns_.notify(); }

  std::vector<StoreBatch> batches{};
  bool broken = false;

 private:
  Notification turns_;
};

class PodKeeperTest : public LoopFixture {
 protected:
  static PodMemory memory(Verdict verdict = Verdict::kNone) {
    return {.uid = "u1", .pod = std::make_shared<const api::Pod>(), .verdict = verdict};
  }
  static boost::asio::awaitable<void> commit(PodKeeper& keeper, PodMemory memory) {
    std::vector<std::string> forgotten = {"u0"};
    static_cast<void>(co_await keeper.commit(std::move(memory), std::move(forgotten)));
  }
  void begin(PodMemory memory) {
    keeper.begin_commit();
    spawn_and_drain(commit(keeper, std::move(memory)));
  }
  void answer(bool broken = false) {
    disk.broken = broken;
    disk.turn();
    drain();
  }
  boost::asio::awaitable<void> wait_for_a_second() {
    co_await keeper.wait_until(clock, clock.steady_now() + 1s);
    log.push_back("goes on");
  }

  Disk disk{loop.get_executor()};
  PodKeeper keeper{loop.get_executor(), disk, nullptr};
};

TEST_F(PodKeeperTest, a_memory_that_decides_is_kept_until_the_store_has_it) {
  EXPECT_FALSE(keeper.knows_pod());
  EXPECT_TRUE(keeper.must_keep(memory()));
  begin(memory());
  EXPECT_TRUE(keeper.storing());
  EXPECT_EQ(disk.batches.at(0).forget, std::vector<std::string>{"u0"});
  EXPECT_TRUE(keeper.must_keep(memory())) << "a commit under way is not durable";
  answer();
  EXPECT_FALSE(keeper.storing());
  EXPECT_TRUE(keeper.knows_pod());
  EXPECT_FALSE(keeper.must_keep(memory()));
  EXPECT_TRUE(keeper.must_keep(memory(Verdict::kCompleted)));
}

TEST_F(PodKeeperTest, a_sandbox_that_the_store_lacks_is_stored_and_one_that_is_gone_can_wait) {
  PodMemory stored = memory();
  stored.sandboxes = {"s1", "s2"};
  begin(stored);
  answer();
  const auto has_more = [&](const std::set<std::string>& sandboxes) {
    return keeper.has_more(
        {.status = stored.status, .probes = stored.probes, .sandboxes = sandboxes});
  };
  EXPECT_FALSE(has_more({"s1", "s2"}));
  EXPECT_FALSE(has_more({"s2"}));
  EXPECT_TRUE(has_more({"s2", "s3"}));
}

TEST_F(PodKeeperTest, a_commit_that_failed_is_made_again_and_says_why) {
  begin(memory());
  answer(true);
  EXPECT_EQ(keeper.error(), "no space left on device");
  EXPECT_FALSE(keeper.storing());
  EXPECT_TRUE(keeper.must_keep(memory()));
  begin(memory());
  answer();
  EXPECT_EQ(keeper.error(), "");
  EXPECT_FALSE(keeper.must_keep(memory()));
}

TEST_F(PodKeeperTest, an_end_is_decided_as_soon_as_it_is_asked_for_though_the_disk_is_full) {
  EXPECT_FALSE(keeper.is_decided());
  ASSERT_TRUE(keeper.ask_for_final());
  begin(memory(keeper.verdict()));
  answer(true);
  EXPECT_TRUE(keeper.is_decided());
  EXPECT_FALSE(keeper.is_final());
  keeper.reopen();
  EXPECT_FALSE(keeper.is_decided()) << "the runtime has lost the pod";
}

TEST_F(PodKeeperTest, whoever_waits_until_a_time_goes_on_when_nothing_is_under_way) {
  begin(memory());
  spawn_and_drain(wait_for_a_second());
  EXPECT_TRUE(log.empty());
  answer();
  EXPECT_EQ(log, std::vector<std::string>{"goes on"});
}

TEST_F(PodKeeperTest, whoever_waits_until_a_time_goes_on_then_though_the_disk_hangs) {
  begin(memory());
  spawn_and_drain(wait_for_a_second());
  clock.advance(999ms);
  EXPECT_TRUE(log.empty());
  clock.advance(1ms);
  EXPECT_EQ(log, std::vector<std::string>{"goes on"});
  EXPECT_TRUE(keeper.storing());
  answer();
}

TEST_F(PodKeeperTest, orders_are_known_once_the_store_has_them) {
  PodMemory ordered = memory();
  ordered.end = EndInForce{.grace_seconds = 30};
  EXPECT_FALSE(keeper.knows_orders(std::nullopt, {}));
  begin(ordered);
  answer();
  EXPECT_TRUE(keeper.knows_orders(ordered.end, {}));
  EXPECT_FALSE(keeper.knows_orders(std::nullopt, {}));
  EXPECT_FALSE(keeper.knows_orders(ordered.end, {{.type = "DisruptionTarget"}}));
}

TEST_F(PodKeeperTest,
       only_an_end_that_the_node_ordered_and_that_is_on_its_way_may_go_with_the_machine) {
  const WallTime now{1'000'000s};
  struct Case {
    std::optional<Ending> end;
    Verdict verdict;
    Outlives expected;
  };
  const Case cases[] = {
      {std::nullopt, Verdict::kNone, Outlives::kMachine},
      {evicted("", 1s, now), Verdict::kNone, Outlives::kBerthd},
      {preempted(now), Verdict::kNone, Outlives::kBerthd},
      {node_shutdown(30s, now), Verdict::kNone, Outlives::kBerthd},
      {active_deadline(now), Verdict::kNone, Outlives::kBerthd},
      {evicted("", 1s, now), Verdict::kCompleted, Outlives::kMachine},
      {deleted(30s, now), Verdict::kNone, Outlives::kMachine},
      {merge(evicted("", 1s, now), deleted(30s, now)), Verdict::kNone, Outlives::kMachine},
      {manifest_removed(now), Verdict::kNone, Outlives::kMachine},
  };
  for (const Case& one : cases) {
    PodMemory ended = memory(one.verdict);
    if (one.end) ended.end = EndInForce{.ending = *one.end, .grace_seconds = 1};
    EXPECT_EQ(must_outlive(ended), one.expected) << &one - cases;
  }
}

TEST_F(PodKeeperTest, rows_that_go_outlive_the_machine_whatever_goes_with_them) {
  PodMemory evicted_pod = memory();
  evicted_pod.end = EndInForce{.ending = evicted("", 1s, clock.wall_now()), .grace_seconds = 1};
  begin(evicted_pod);
  EXPECT_EQ(disk.batches.at(0).outlives, Outlives::kMachine) << "u0 is forgotten with it";
  answer();
}

TEST_F(PodKeeperTest, the_end_is_final_once_the_store_knows_of_it) {
  EXPECT_TRUE(keeper.ask_for_final());
  EXPECT_EQ(keeper.verdict(), Verdict::kCompleted);
  EXPECT_TRUE(keeper.awaits_final());
  EXPECT_FALSE(keeper.is_final());
  EXPECT_FALSE(keeper.ask_for_final()) << "it has been asked";
  keeper.final_stored();
  EXPECT_TRUE(keeper.is_final());
  EXPECT_FALSE(keeper.awaits_final());
}

TEST_F(PodKeeperTest, what_was_said_of_an_end_is_not_said_anew) {
  keeper.recall(Verdict::kRejected);
  EXPECT_TRUE(keeper.ended_before());
  EXPECT_TRUE(keeper.is_final());
  EXPECT_FALSE(keeper.ask_for_final());
  EXPECT_EQ(keeper.verdict(), Verdict::kRejected);
}

TEST_F(PodKeeperTest, a_pod_that_lived_is_recalled_and_open) {
  EXPECT_FALSE(keeper.recalled());
  keeper.recall(Verdict::kNone);
  EXPECT_TRUE(keeper.recalled());
  EXPECT_FALSE(keeper.ended_before());
  EXPECT_FALSE(keeper.is_final());
}

TEST_F(PodKeeperTest, that_a_lost_pod_has_failed_is_still_to_be_stored) {
  keeper.recall(Verdict::kCompleted);
  keeper.reopen();
  EXPECT_FALSE(keeper.is_final());
  EXPECT_TRUE(keeper.ask_for_final());
}

}  // namespace
}  // namespace berth::lifecycle
