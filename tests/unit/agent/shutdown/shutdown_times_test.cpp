// SPDX-License-Identifier: Apache-2.0

// When pods were last stopped for a shutdown of the machine: in /metrics, and across restarts.
#include "agent/shutdown/shutdown_times.hpp"

#include "agent/shutdown/shutdown_times_store.hpp"
#include "tests/unit/agent/store/store_harness.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

std::string page(const ShutdownTimes& times) {
  std::string out;
  write_metrics(times, out);
  return out;
}

TEST(ShutdownTimes, are_shown_in_the_kubelets_words_and_whole_seconds) {
  EXPECT_EQ(
      page({.start = kStart + 900ms, .end = kStart + 21s}),
      "# HELP kubelet_graceful_shutdown_end_time_seconds [ALPHA] Last graceful shutdown start "
      "time since unix epoch in seconds\n"
      "# TYPE kubelet_graceful_shutdown_end_time_seconds gauge\n"
      "kubelet_graceful_shutdown_end_time_seconds 1.700000021e+09\n"
      "# HELP kubelet_graceful_shutdown_start_time_seconds [ALPHA] Last graceful shutdown "
      "start time since unix epoch in seconds\n"
      "# TYPE kubelet_graceful_shutdown_start_time_seconds gauge\n"
      "kubelet_graceful_shutdown_start_time_seconds 1.7e+09\n");
}

TEST(ShutdownTimes, are_zero_where_there_are_none) {
  EXPECT_NE(page({}).find("\nkubelet_graceful_shutdown_start_time_seconds 0\n"), std::string::npos);
  const std::string under_way = page(begun(kStart));
  EXPECT_NE(under_way.find("\nkubelet_graceful_shutdown_end_time_seconds 0\n"), std::string::npos);
  EXPECT_NE(under_way.find("\nkubelet_graceful_shutdown_start_time_seconds 1.7e+09\n"),
            std::string::npos);
}

TEST(ShutdownTimes, have_one_end_for_each_beginning) {
  EXPECT_EQ(ended({}, kStart), ShutdownTimes{});
  const ShutdownTimes first = ended(begun(kStart), kStart + 5s);
  EXPECT_EQ(first.end, kStart + 5s);
  EXPECT_EQ(ended(first, kStart + 9s), first) << "called off after all had stopped";
  EXPECT_EQ(begun(kStart + 1min).end, std::nullopt);
}

boost::asio::awaitable<void> recall_into(SqliteStore* store, Result<ShutdownTimes>* outcome) {
  ShutdownTimesStore times(*store);
  auto recalling = times.recall();
  *outcome = co_await std::move(recalling);
}

class ShutdownTimesStoreTest : public testing::Test {
 protected:
  void SetUp() override { harness.open(); }
  Result<ShutdownTimes> recalled() {
    harness.reopen();
    Result<ShutdownTimes> outcome = fail(ErrorCode::kUnknown, "never answered");
    run_on(harness.loop, recall_into(harness.store.get(), &outcome));
    return outcome;
  }
  void keep(const ShutdownTimes& times) { ShutdownTimesStore(*harness.store).keep(times); }

  TemporaryFolder folder{};
  StoreHarness harness{folder.path("state.db")};
};

TEST_F(ShutdownTimesStoreTest, has_nothing_at_first) {
  const auto times = recalled();
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(*times, ShutdownTimes{});
}

TEST_F(ShutdownTimesStoreTest, knows_the_last_shutdown_after_a_restart) {
  keep(begun(kStart));
  auto times = recalled();
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(*times, begun(kStart)) << "it went off before all had stopped";
  const ShutdownTimes second{.start = kStart + 1min, .end = kStart + 2min};
  keep(second);
  times = recalled();
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(*times, second);
}

}  // namespace
}  // namespace berth::agent
