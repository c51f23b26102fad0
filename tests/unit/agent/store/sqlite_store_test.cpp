// SPDX-License-Identifier: Apache-2.0

#include "agent/store/sqlite_store.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "agent/store/store_file.hpp"
#include "tests/unit/agent/store/held_disk.hpp"
#include "tests/unit/agent/store/store_harness.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

using Uids = std::vector<std::string>;

class Store : public testing::Test {
 protected:
  void SetUp() override { harness.open(); }

  TemporaryFolder folder{};
  StoreHarness harness{folder.path("state.db")};
};

TEST_F(Store, a_new_one_is_empty_and_nobody_elses_to_read) {
  EXPECT_EQ(harness.recalled_uids(), Uids{});
  EXPECT_TRUE(harness.store->recall_events().empty());
  const auto mode = std::filesystem::status(folder.path("state.db")).permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(Store, what_was_committed_is_there_after_reopening) {
  ASSERT_TRUE(harness.keep(memory_of("a")).has_value());
  ASSERT_TRUE(harness.keep(memory_of("b")).has_value());
  auto changed = std::make_shared<lifecycle::PodMemory>(*memory_of("a"));
  changed->end = lifecycle::EndInForce{.ending = lifecycle::active_deadline({})};
  ASSERT_TRUE(harness.keep(changed).has_value());
  ASSERT_TRUE(harness.commit({.keep = {}, .forget = {"b", "none"}}).has_value());
  harness.reopen();
  const auto recalled = harness.store->recall();
  ASSERT_EQ(recalled.size(), 1U);
  EXPECT_EQ(recalled[0]->uid, "a");
  EXPECT_TRUE(past_deadline(recalled[0]->end));
  EXPECT_TRUE(harness.store->recall().empty()) << "it is asked once";
}

TEST_F(Store, a_batch_forgets_and_keeps_together) {
  ASSERT_TRUE(harness.keep(memory_of("old")).has_value());
  ASSERT_TRUE(harness.commit({.keep = {memory_of("new")}, .forget = {"old"}}).has_value());
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), Uids{"new"});
}

TEST_F(Store, a_copy_of_the_files_in_use_has_every_commit_that_was_answered) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(harness.keep(memory_of("u" + std::to_string(i))).has_value());
  }
  // The files that a kill leaves behind: the database and its log in their present state.
  const auto copy = folder.path("copy.db");
  std::filesystem::copy_file(harness.path, copy);
  std::filesystem::copy_file(harness.path + "-wal", copy + "-wal");
  StoreHarness second(copy);
  second.open();
  EXPECT_EQ(second.store->recall().size(), 20U);
}

TEST_F(Store, commits_are_applied_in_the_order_of_the_calls) {
  std::vector<boost::asio::awaitable<Result<bool>>> waits;
  for (int i = 0; i < 50; ++i) {
    auto memory = std::make_shared<lifecycle::PodMemory>(*memory_of("u"));
    memory->incarnation = static_cast<std::uint64_t>(i);
    waits.push_back(harness.store->commit({.keep = {memory}, .forget = {}}));
  }
  waits.clear();  // nobody awaits the commits, but they happen all the same
  harness.reopen();
  EXPECT_EQ(harness.store->recall().at(0)->incarnation, 49U);
}

TEST_F(Store, a_caller_that_is_cancelled_takes_nothing_back) {
  harness.store.reset();
  HeldDisk disk;
  harness.open();
  disk.hold();
  Result<bool> outcome = fail(ErrorCode::kUnknown, "never answered");
  {
    TaskGroup tasks(harness.loop.get_executor(), rethrow);
    lifecycle::StoreBatch batch{.keep = {memory_of("u")}, .forget = {}};
    tasks.spawn("commit", commit_into(harness.store.get(), std::move(batch), &outcome));
    harness.loop.poll();
    EXPECT_EQ(harness.store->health().silent_since, harness.clock.steady_now());
    tasks.request_stop();
    harness.loop.restart();
    harness.loop.poll();
    EXPECT_EQ(tasks.size(), 0U);
  }
  EXPECT_FALSE(outcome.has_value());
  EXPECT_TRUE(harness.store->health().silent_since) << "the disk has not answered yet";
  disk.release();
  harness.store->close();
  harness.loop.restart();
  harness.loop.poll();
  EXPECT_FALSE(harness.store->health().failing_since.has_value());
  EXPECT_FALSE(harness.store->health().silent_since.has_value());
  harness.reopen();
  EXPECT_EQ(harness.recalled_uids(), Uids{"u"});
  harness.store.reset();  // before `disk` is destroyed
}

// Truncating a mapped file terminates the process (SIGBUS).
TEST_F(Store, no_file_of_it_is_mapped_into_memory) {
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  EXPECT_FALSE(std::filesystem::exists(harness.path + "-shm"));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.find(harness.path), std::string::npos) << line;
  }
}

TEST_F(Store, nobody_else_opens_it_while_berthd_has_it) {
  auto other = StoreFile::open(harness.path);
  ASSERT_TRUE(other.has_value());
  EXPECT_FALSE(other->number("SELECT count(*) FROM pods").has_value());
}

TEST_F(Store, answers_that_come_after_its_end_find_nobody_and_do_no_harm) {
  Result<bool> outcome = fail(ErrorCode::kUnknown, "never answered");
  TaskGroup tasks(harness.loop.get_executor(), rethrow);
  lifecycle::StoreBatch batch{.keep = {memory_of("u")}, .forget = {}};
  tasks.spawn("commit", commit_into(harness.store.get(), std::move(batch), &outcome));
  harness.loop.poll();
  harness.store.reset();
  harness.loop.restart();
  harness.loop.run();
  EXPECT_TRUE(outcome.has_value());
}

TEST_F(Store, a_closed_one_refuses) {
  harness.store->close();
  const auto outcome = harness.keep(memory_of("u"));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
}

TEST_F(Store, an_unreadable_row_is_named_and_stays) {
  ASSERT_TRUE(harness.keep(memory_of("good")).has_value());
  ASSERT_TRUE(harness.keep(memory_of("bad", "broken")).has_value());
  harness.store.reset();
  {
    auto file = StoreFile::open(harness.path);
    ASSERT_TRUE(file->execute("UPDATE pods SET memory = '{\"uid\":' WHERE uid = 'bad'"));
  }
  for (int i = 0; i < 2; ++i) {
    harness.log.lines.clear();
    harness.reopen();
    EXPECT_EQ(harness.recalled_uids(), Uids{"good"});
    ASSERT_EQ(harness.log.lines.size(), 1U);
    EXPECT_EQ(harness.log.lines[0].fields.at(0).value, "bad");
    EXPECT_NE(harness.log.lines[0].message.find("default/broken"), std::string::npos);
    EXPECT_EQ(harness.store->health().unreadable_pods, 1U);
  }
}

EventPtr event_at(const std::string& name, WallTime at, int count = 1) {
  auto event = std::make_shared<api::Event>();
  event->metadata.namespace_ = "default";
  event->metadata.name = name;
  event->reason = "BackOff";
  event->firstTimestamp = api::Time{kStart};
  event->lastTimestamp = api::Time{at};
  event->count = count;
  return event;
}

TEST_F(Store, events_come_back_with_the_last_one_last) {
  const auto first = event_at("one", kStart + 1ns);
  const auto second = event_at("two", kStart + 2ns);
  const auto again = event_at("one", kStart + 3ns, 2);
  for (const auto& event : {first, second, again}) harness.store->keep(event);
  harness.reopen();
  const auto events = harness.store->recall_events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(*events[0], *second);
  EXPECT_EQ(*events[1], *again);
}

TEST_F(Store, events_are_bounded_by_number_and_age) {
  HistoryLimits limits;
  limits.events = {.count = 3, .age = 60s};
  harness.reopen(limits);
  for (int i = 0; i < 10; ++i) {
    harness.store->keep(event_at("e" + std::to_string(i), kStart + i * 1s));
  }
  harness.reopen(limits);
  EXPECT_EQ(harness.store->recall_events().size(), 3U);
  harness.clock.set_wall(kStart + 100s);
  harness.store->keep(event_at("late", kStart + 100s));
  harness.reopen(limits);
  ASSERT_EQ(harness.store->recall_events().size(), 1U);
}

TEST_F(Store, events_of_a_clock_that_was_ahead_cost_no_event_after_it_is_set_back) {
  HistoryLimits limits;
  limits.events = {.count = 3, .age = 60s};
  harness.reopen(limits);
  const auto recalled = [this] {
    std::vector<std::string> names;
    for (const auto& event : harness.store->recall_events()) names.push_back(event->metadata.name);
    return names;
  };
  const auto keep = [this](const std::string& name, WallTime at) {
    harness.clock.set_wall(at);
    harness.store->keep(event_at(name, at));
  };
  for (const auto* name : {"ahead1", "ahead2", "ahead3"}) keep(name, kStart + 24h);
  keep("one", kStart + 1s);
  keep("two", kStart + 2s);
  harness.reopen(limits);
  EXPECT_EQ(recalled().size(), 3U) << "those of the future do not outlast them";
  keep("three", kStart + 3s);
  harness.reopen(limits);
  EXPECT_EQ(recalled(), (std::vector<std::string>{"one", "two", "three"}));
  keep("late", kStart + 100s);
  harness.reopen(limits);
  EXPECT_EQ(recalled(), std::vector<std::string>{"late"}) << "age counts as ever";
}

std::string input_with(const std::string& pod, int number) {
  return R"({"now":)" + std::to_string(number) + R"(,"pod":{"name":"a } \" \\","spec":")" + pod +
         R"("},"after":[1,{"x":"y"}]})";
}

TEST_F(Store, ledger_records_come_back_byte_for_byte) {
  std::vector<lifecycle::LedgerRecord> written;
  for (int i = 0; i < 5; ++i) {
    auto record = record_of("u1", "R" + std::to_string(i));
    record.at += i * 1ns;
    record.kind = "plan";
    record.next = i % 2 == 0 ? std::optional(kStart + 10s) : std::nullopt;
    record.input = input_with(std::string(600, i < 3 ? 'p' : 'q'), i);
    record.output = R"({"do":["nothing"]})";
    record.reasons.push_back({.subject = "pod", .rule = "\"<&", .text = "\u00e4\n"});
    written.push_back(record);
    harness.store->write(record);
  }
  harness.store->write(record_of("u2", "Other"));
  const auto read = harness.ledger({.namespace_ = "", .pod = "", .uid = "u1"});
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].at, written[i].at);
    EXPECT_EQ(read[i].uid, written[i].uid);
    EXPECT_EQ(read[i].namespace_, written[i].namespace_);
    EXPECT_EQ(read[i].pod, written[i].pod);
    EXPECT_EQ(read[i].kind, written[i].kind);
    EXPECT_EQ(read[i].reasons, written[i].reasons);
    EXPECT_EQ(read[i].next, written[i].next);
    EXPECT_EQ(read[i].input, written[i].input);
    EXPECT_EQ(read[i].output, written[i].output);
  }
  harness.store.reset();
  auto file = StoreFile::open(harness.path);
  EXPECT_EQ(file->number("SELECT count(*) FROM specs").value_or(-1), 2) << "each pod once";
}

TEST_F(Store, the_ledger_answers_by_name_over_incarnations_and_gives_the_newest) {
  for (int i = 0; i < 6; ++i) {
    harness.store->write(record_of(i < 3 ? "u1" : "u2", std::to_string(i)));
  }
  const auto rules = [&](const LedgerQuery& query) {
    std::string out;
    for (const auto& record : harness.ledger(query)) out += record.reasons.at(0).rule;
    return out;
  };
  EXPECT_EQ(rules({.namespace_ = "default", .pod = "web", .uid = ""}), "012345");
  EXPECT_EQ(rules({.namespace_ = "default", .pod = "web", .uid = "", .limit = 2}), "45");
  EXPECT_EQ(rules({.namespace_ = "", .pod = "", .uid = "u1"}), "012");
  EXPECT_EQ(rules({.namespace_ = "other", .pod = "web", .uid = ""}), "");
}

TEST_F(Store, the_ledger_finds_the_records_of_one_instant_of_a_pod) {
  for (const char* rule : {"early", "then", "late"}) {
    auto record = record_of("u1", rule);
    record.at = WallTime{std::string_view(rule) == "early"  ? 1s
                         : std::string_view(rule) == "then" ? 2s
                                                            : 3s};
    harness.store->write(record);
    record.uid = "u2";
    harness.store->write(record);
  }
  const auto found = harness.ledger({.uid = "u1", .at = WallTime{2s}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].reasons.at(0).rule, "then");
  EXPECT_EQ(harness.ledger({.uid = "u1"}).size(), 3U) << "the next question has no instant";
  EXPECT_TRUE(harness.ledger({.uid = "u1", .at = WallTime{5s}}).empty());
}

TEST_F(Store, the_ledger_is_bounded_by_number_and_age) {
  HistoryLimits limits;
  limits.records = 100;
  harness.reopen(limits);
  for (int i = 0; i < 1000; ++i) {
    auto record = record_of("u", std::to_string(i));
    record.input = input_with(std::string(600, static_cast<char>('a' + i / 100)), i);
    harness.store->write(record);
  }
  const LedgerQuery all{.namespace_ = "", .pod = "", .uid = "u", .limit = 10'000};
  auto records = harness.ledger(all);
  ASSERT_FALSE(records.empty());
  EXPECT_LE(records.size(), 100U);
  EXPECT_GE(records.size(), 98U);
  EXPECT_EQ(records.back().reasons.at(0).rule, "999");
  auto late = record_of("u", "late");
  late.at += 8 * 24h;
  harness.store->write(late);
  records = harness.ledger(all);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].reasons.at(0).rule, "late");
  harness.store.reset();
  auto file = StoreFile::open(harness.path);
  EXPECT_EQ(file->number("SELECT count(*) FROM specs").value_or(-1), 0) << "they go with it";
}

TEST_F(Store, counts_what_it_does) {
  ASSERT_TRUE(harness.keep(memory_of("u")).has_value());
  harness.store->write(record_of("u", "R"));
  static_cast<void>(harness.ledger({.namespace_ = "", .pod = "", .uid = "u"}));
  const auto health = harness.store->health();
  EXPECT_EQ(health.commits, 1U);
  EXPECT_EQ(health.transactions, 1U);
  EXPECT_EQ(health.history_written, 1U);
  EXPECT_EQ(health.history_dropped, 0U);
  EXPECT_FALSE(health.failing_since.has_value());
}

}  // namespace
}  // namespace berth::agent
