// SPDX-License-Identifier: Apache-2.0

// A store in its own folder, and a loop to wait on.
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "agent/store/sqlite_store.hpp"
#include "base/virtual_clock.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/agent/run_on_loop.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {

inline constexpr WallTime kStart{std::chrono::seconds{1'700'000'000}};

inline lifecycle::PodMemoryPtr memory_of(const std::string& uid, const std::string& name = "web") {
  auto memory = std::make_shared<lifecycle::PodMemory>();
  auto pod = std::make_shared<api::Pod>();
  pod->metadata.uid = uid;
  pod->metadata.name = name;
  pod->metadata.namespace_ = "default";
  memory->uid = uid;
  memory->pod = std::move(pod);
  return memory;
}

inline lifecycle::LedgerRecord record_of(const std::string& uid, const std::string& rule) {
  return {.at = kStart,
          .uid = uid,
          .namespace_ = "default",
          .pod = "web",
          .kind = std::string(lifecycle::kLedgerFact),
          .reasons = {{.subject = "app", .rule = rule, .text = "because"}}};
}

inline boost::asio::awaitable<void> commit_into(SqliteStore* store, lifecycle::StoreBatch batch,
                                                Result<bool>* outcome) {
  auto answer = co_await store->commit(std::move(batch));
  *outcome = std::move(answer);
}

inline boost::asio::awaitable<void> read_into(
    SqliteStore* store, LedgerQuery query, Result<std::vector<lifecycle::LedgerRecord>>* outcome) {
  auto answer = co_await store->read_ledger(std::move(query));
  *outcome = std::move(answer);
}

struct StoreHarness {
  explicit StoreHarness(std::string at) : path(std::move(at)) {}

  // Throws if the store does not open, as the test cannot go on then.
  void open(HistoryLimits limits = {}) {
    auto opened = SqliteStore::open(loop.get_executor(), clock, log, path, limits);
    if (!opened) throw std::runtime_error(opened.error().message);
    store = std::move(*opened);
  }
  void reopen(HistoryLimits limits = {}) {
    store.reset();
    open(limits);
  }
  Result<bool> commit(lifecycle::StoreBatch batch) {
    Result<bool> outcome = fail(ErrorCode::kUnknown, "never answered");
    run_on(loop, commit_into(store.get(), std::move(batch), &outcome));
    return outcome;
  }
  Result<bool> keep(lifecycle::PodMemoryPtr memory) {
    return commit({.keep = {std::move(memory)}, .forget = {}});
  }
  std::vector<lifecycle::LedgerRecord> ledger(LedgerQuery query) {
    Result<std::vector<lifecycle::LedgerRecord>> outcome =
        fail(ErrorCode::kUnknown, "never answered");
    run_on(loop, read_into(store.get(), std::move(query), &outcome));
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
    return outcome.value_or(std::vector<lifecycle::LedgerRecord>{});
  }
  std::vector<std::string> recalled_uids() {
    std::vector<std::string> uids;
    for (const auto& memory : store->recall()) uids.push_back(memory->uid);
    return uids;
  }

  std::string path;
  RecordedLog log{};
  boost::asio::io_context loop{};
  VirtualClock clock{loop, kStart};
  std::unique_ptr<SqliteStore> store{};
};

}  // namespace berth::agent
