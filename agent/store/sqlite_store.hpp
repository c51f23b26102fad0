// SPDX-License-Identifier: Apache-2.0

// The state file of berthd: pods' memories, events and the ledger, in one SQLite file.
//
// Pods' memories and events are loaded at opening and returned once (recall, recall_events);
// nothing of the ledger stays in memory. `commit` completes on the loop when the batch is durable
// or has failed; the batch is queued as soon as it is called, in the order of the calls, and
// cancelling the caller changes nothing. Ledger and events never wait and never fail visibly
// (store_writer.hpp describes when they are dropped). Only `forget` removes rows of pods; an
// unreadable row is named in the log and stays in the file.
//
// Loop thread only. `close` (or destruction) writes what was requested and waits for it;
// completions are then posted to the loop, which need not run any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/events/event_sink.hpp"
#include "agent/store/ledger_reader.hpp"
#include "agent/store/store_history.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/pod_store.hpp"

namespace berth::agent {

class StoreFile;
class StoreWriter;
struct OpenedStore;

// For `status`.
struct StoreHealth {
  std::optional<WallTime> failing_since{};   // since when commits fail; unset if all is well
  std::string error{};                       // of the last failed commit, while failing
  std::optional<SteadyTime> silent_since{};  // request time of the oldest pending commit
  std::uint64_t commits = 0;                 // requested
  std::uint64_t transactions = 0;            // that made them durable
  std::uint64_t history_written = 0;         // events and ledger records
  std::uint64_t history_dropped = 0;         // not written: too many at once, or no room
  std::uint64_t unreadable_pods = 0;         // rows found at start that cannot be decoded
  std::string moved_aside{};                 // where a damaged file was moved when it was replaced
};

class SqliteStore final : public lifecycle::PodStore,
                          public lifecycle::Ledger,
                          public LedgerReader,
                          public EventSink {
 public:
  // Opens or creates the file (store_open.hpp has the special cases). Blocks; at start.
  static Result<std::unique_ptr<SqliteStore>> open(boost::asio::any_io_executor loop, Clock& clock,
                                                   Log& log, std::string path,
                                                   HistoryLimits limits = {});
  ~SqliteStore() override;

  // PodStore.
  [[nodiscard]] std::vector<lifecycle::PodMemoryPtr> recall() override;
  [[nodiscard]] boost::asio::awaitable<Result<bool>> commit(lifecycle::StoreBatch batch) override;

  // Ledger, and reading it.
  void write(lifecycle::LedgerRecord record) override;
  [[nodiscard]] boost::asio::awaitable<Result<std::vector<lifecycle::LedgerRecord>>> read_ledger(
      LedgerQuery query) override;

  // EventSink. `recall_events`: an earlier berthd's events, ordered by last time seen; call once.
  void keep(EventPtr event) override;
  [[nodiscard]] std::vector<EventPtr> recall_events();

  // Other tables in the same file, which their owners create and read. Work runs on the writer's
  // thread. `append`: history, as the ledger and events; `bytes` is its approximate memory while it
  // waits. `look` reads, after what was requested before.
  using Work = std::function<Result<bool>(StoreFile&)>;
  void append(Work work, std::size_t bytes);
  [[nodiscard]] boost::asio::awaitable<Result<bool>> look(Work work);

  [[nodiscard]] StoreHealth health() const;

  // Completes once the writer thread has taken a turn, whether or not its writes succeeded: soon,
  // unless the disk blocks it.
  [[nodiscard]] boost::asio::awaitable<void> turn();

  // No commits from now on; waits until everything requested is written.
  void close();

 private:
  SqliteStore(boost::asio::any_io_executor loop, Clock& clock, Log& log);
  void understand(const OpenedStore& opened, const std::string& path);
  // Logs that the file was damaged or gone, and another one is in its place.
  void report_new_file();
  // Tracks the results of commits; logs when they start to fail, and when they work again.
  [[nodiscard]] std::optional<SteadyTime> silent_since() const;
  void learn(SteadyTime asked_at, const Result<bool>& outcome);

  boost::asio::any_io_executor loop_;
  Clock& clock_;
  Log& log_;
  std::vector<lifecycle::PodMemoryPtr> recalled_{};
  std::vector<EventPtr> recalled_events_{};
  std::uint64_t unreadable_pods_ = 0;
  std::string moved_aside_{};
  std::uint64_t written_anew_ = 0;
  std::optional<WallTime> failing_since_{};
  std::string error_{};
  std::optional<SteadyTime> failed_first_{};  // request time of the first of the failed ones
  std::deque<SteadyTime> asked_{};            // unanswered commits, in order
  // Answers that arrive after the store's destruction check this.
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  std::unique_ptr<StoreWriter> writer_{};
};

}  // namespace berth::agent
