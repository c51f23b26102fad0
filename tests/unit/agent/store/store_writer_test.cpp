// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_writer.hpp"

#include <algorithm>
#include <future>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "agent/store/store_open.hpp"
#include "tests/unit/agent/store/store_harness.hpp"

namespace berth::agent {
namespace {

StoreFile opened(const std::string& path) {
  auto store = open_store(path, kStart);
  EXPECT_TRUE(store.has_value()) << store.error().message;
  return std::move(store->file);
}

StoreWriter::Work keeping(const std::string& uid) {
  return [uid](StoreFile& file) { return put_pod(file, row_of(*memory_of(uid), kStart)); };
}

// A writer in the middle of its first transaction, where it stays until `go` is set: all later
// requests wait.
struct HeldWriter {
  explicit HeldWriter(const std::string& path, HistoryLimits limits = {})
      : writer(loop.get_executor(), path, opened(path), limits) {
    std::promise<void> begun;
    auto wait = [&begun, ready = go.get_future().share()](StoreFile&) -> Result<bool> {
      begun.set_value();
      ready.wait();
      return true;
    };
    writer.commit(
        wait, [](const Result<bool>&) {}, kStart);
    begun.get_future().wait();
  }
  void run() {
    go.set_value();
    writer.stop();
    loop.run();
  }

  boost::asio::io_context loop{};
  std::promise<void> go{};
  StoreWriter writer;
};

TEST(StoreWriter, commits_that_wait_share_a_transaction) {
  const TemporaryFolder folder;
  HeldWriter held(folder.path("state.db"));
  std::vector<int> answered;
  for (int i = 0; i < 200; ++i) {
    held.writer.commit(
        keeping("u" + std::to_string(i)),
        [&answered, i](const Result<bool>& outcome) {
          if (outcome) answered.push_back(i);
        },
        kStart);
  }
  held.run();
  EXPECT_EQ(answered.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(answered));
  EXPECT_EQ(held.writer.counts().commits, 201U);
  EXPECT_EQ(held.writer.counts().transactions, 2U);
}

// The `PRAGMA synchronous` value of the transaction that makes these commits.
std::int64_t synchronous_of(std::initializer_list<Durability> commits) {
  const TemporaryFolder folder;
  HeldWriter held(folder.path("state.db"));
  std::int64_t synchronous = 0;
  for (const Durability durability : commits) {
    held.writer.commit(
        [&synchronous](StoreFile& file) -> Result<bool> {
          synchronous = file.number("PRAGMA synchronous").value_or(-1);
          return true;
        },
        [](const Result<bool>&) {}, kStart, durability);
  }
  held.run();
  return synchronous;
}

TEST(StoreWriter, waits_for_the_disk_only_if_a_commit_is_to_outlive_the_machine) {
  constexpr std::int64_t kNormal = 1;
  constexpr std::int64_t kFull = 2;
  EXPECT_EQ(synchronous_of({Durability::kNormal, Durability::kNormal}), kNormal);
  EXPECT_EQ(synchronous_of({Durability::kFull}), kFull);
  EXPECT_EQ(synchronous_of({Durability::kNormal, Durability::kFull}), kFull);
}

TEST(StoreWriter, one_that_fails_takes_its_transaction_with_it_and_says_so_to_all) {
  const TemporaryFolder folder;
  HeldWriter held(folder.path("state.db"));
  std::vector<std::string> said;
  const auto done = [&said](const Result<bool>& outcome) {
    said.push_back(outcome ? "stored" : outcome.error().message);
  };
  held.writer.commit(keeping("a"), done, kStart);
  held.writer.commit(
      [](StoreFile&) {
        return Result<bool>(fail({ErrorCode::kUnknown, "no"}));
      },
      done, kStart);
  held.run();
  EXPECT_EQ(said, (std::vector<std::string>{"no", "no"}));
  auto store = open_store(folder.path("state.db"), kStart);
  EXPECT_TRUE(store->pods.empty());
}

TEST(StoreWriter, history_that_waits_is_bounded_and_the_oldest_goes) {
  const TemporaryFolder folder;
  HeldWriter held(folder.path("state.db"));
  constexpr std::size_t kBig = 100'000;
  for (int i = 0; i < 100; ++i) {
    auto record = record_of("u", std::to_string(i));
    held.writer.append([record](StoreFile& file) { return put_record(file, record); }, kBig,
                       kStart);
  }
  held.run();
  const auto counts = held.writer.counts();
  EXPECT_EQ(counts.history_written, (4U << 20U) / kBig);
  EXPECT_EQ(counts.history_dropped, 100U - counts.history_written);
  auto store = open_store(folder.path("state.db"), kStart);
  const auto records =
      read_records(store->file, {.namespace_ = "", .pod = "", .uid = "u", .limit = 1});
  EXPECT_EQ(records->at(0).reasons.at(0).rule, "99");
}

TEST(StoreWriter, a_file_over_its_budget_gives_up_old_history_for_new) {
  const TemporaryFolder folder;
  HistoryLimits limits;
  limits.file_bytes = 400'000;
  HeldWriter held(folder.path("state.db"), limits);
  for (int i = 0; i < 1500; ++i) {
    auto record = record_of("u", std::to_string(i));
    record.output = std::string(1000, 'o');
    held.writer.append([record](StoreFile& file) { return put_record(file, record); }, 1000,
                       kStart);
  }
  held.run();
  EXPECT_EQ(held.writer.counts().history_written, 1500U);
  auto store = open_store(folder.path("state.db"), kStart);
  EXPECT_LT(store->file.used_bytes().value_or(0), 500'000);
  const auto records =
      read_records(store->file, {.namespace_ = "", .pod = "", .uid = "u", .limit = 5000});
  EXPECT_LT(records->size(), 1000U);
  EXPECT_EQ(records->back().reasons.at(0).rule, "1499");
}

// A file that must not grow, as on a full disk, but without needing one.
TEST(StoreWriter, in_a_full_file_history_makes_room_for_pods) {
  const TemporaryFolder folder;
  auto file = opened(folder.path("state.db"));
  ASSERT_TRUE(file.begin(Durability::kNormal).has_value());
  for (int i = 0; i < 600; ++i) {
    auto record = record_of("u", std::to_string(i));
    record.output = std::string(2000, 'o');
    ASSERT_TRUE(put_record(file, record).has_value());
  }
  ASSERT_TRUE(file.commit().has_value());
  const auto pages = file.number("PRAGMA page_count").value_or(0);
  ASSERT_TRUE(file.execute(("PRAGMA max_page_count=" + std::to_string(pages)).c_str()));
  boost::asio::io_context loop;
  StoreWriter writer(loop.get_executor(), folder.path("state.db"), std::move(file), {});
  int stored = 0;
  for (int i = 0; i < 20; ++i) {
    auto big = std::make_shared<lifecycle::PodMemory>(*memory_of("u" + std::to_string(i)));
    big->status.message = std::string(20'000, 'm');
    auto work = [big](StoreFile& at) { return put_pod(at, row_of(*big, kStart)); };
    writer.commit(
        work, [&stored](const Result<bool>& outcome) { stored += outcome ? 1 : 0; }, kStart);
  }
  writer.stop();
  loop.run();
  EXPECT_EQ(stored, 20);
  auto store = open_store(folder.path("state.db"), kStart);
  EXPECT_EQ(store->pods.size(), 20U);
  EXPECT_LT(store->file.number("SELECT count(*) FROM ledger").value_or(0), 600);
}

TEST(StoreWriter, what_still_finds_no_room_fails_and_the_next_is_tried_anew) {
  const TemporaryFolder folder;
  auto file = opened(folder.path("state.db"));
  const auto pages = file.number("PRAGMA page_count").value_or(0);
  ASSERT_TRUE(file.execute(("PRAGMA max_page_count=" + std::to_string(pages + 4)).c_str()));
  boost::asio::io_context loop;
  StoreWriter writer(loop.get_executor(), folder.path("state.db"), std::move(file), {});
  auto big = std::make_shared<lifecycle::PodMemory>(*memory_of("big"));
  big->status.message = std::string(200'000, 'm');
  std::vector<Result<bool>> outcomes;
  const auto done = [&outcomes](const Result<bool>& outcome) { outcomes.push_back(outcome); };
  std::promise<void> tried;
  writer.commit([big](StoreFile& at) { return put_pod(at, row_of(*big, kStart)); }, done, kStart);
  writer.look(
      [&tried](StoreFile&) -> Result<bool> {
        tried.set_value();
        return true;
      },
      [](const Result<bool>&) {}, kStart);
  tried.get_future().wait();
  writer.commit(keeping("small"), done, kStart);
  writer.stop();
  loop.run();
  ASSERT_EQ(outcomes.size(), 2U);
  ASSERT_FALSE(outcomes[0].has_value());
  EXPECT_EQ(outcomes[0].error().code, ErrorCode::kUnavailable);
  EXPECT_NE(outcomes[0].error().message.find("full"), std::string::npos);
  EXPECT_TRUE(outcomes[1].has_value());
}

}  // namespace
}  // namespace berth::agent
