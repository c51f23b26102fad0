// SPDX-License-Identifier: Apache-2.0

// The writer thread: the only one that touches the state file, so that a slow disk delays only
// those who wait for it.
//
// Group commit: all waiting commits go into one transaction, and one fsync makes them durable; then
// their completions are posted to the loop, in order. Commits that only need to survive a crash of
// berthd skip the fsync, unless another one of the transaction needs it. History (events, ledger)
// is written afterwards in transactions of its own, without fsync, and has lower priority. It waits
// some milliseconds for commits and for more history. It is dropped, and counted, if it cannot be
// written: the oldest beyond a number of waiting bytes, and all of it while the file is over its
// budget or the reserve is used up.
//
// If space runs out, commits are retried once, after the reserve was released and the oldest
// history dropped; then all commits of the transaction fail with the disk's error, and later ones
// try again. A file that turns out to be damaged, in whatever table, is replaced (store_open.hpp),
// and the commits or the history retried; a reader gets the error.
//
// Members are called on the loop thread. `stop` accepts no more, writes what was requested, and
// joins.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "agent/store/store_file.hpp"
#include "agent/store/store_history.hpp"
#include "agent/store/store_reserve.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct OpenedStore;

struct WriterCounts {
  std::uint64_t commits = 0;       // requested
  std::uint64_t transactions = 0;  // that made commits durable
  std::uint64_t history_written = 0;
  std::uint64_t history_dropped = 0;
  std::string moved_aside{};       // where the last file that turned out to be damaged was moved
  std::uint64_t written_anew = 0;  // after the file was deleted, moved or replaced
};

class StoreWriter {
 public:
  // Runs on the writer's thread, within a transaction; an error rolls it back.
  using Work = std::function<Result<bool>(StoreFile&)>;
  // Runs on the loop.
  using Done = std::function<void(Result<bool>)>;
  // Runs on the loop after another file took the place of the one in use (`moved_aside` or
  // `written_anew` of the counts changed), and before what led to it is answered.
  using OnNewFile = std::function<void()>;

  StoreWriter(boost::asio::any_io_executor loop, std::string path, StoreFile file,
              HistoryLimits limits, OnNewFile on_new_file = {});
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;
  ~StoreWriter();

  // `now`: for the name of a file that has to be moved aside, and for the age of history.
  void commit(Work work, Done done, WallTime now, Durability durability = Durability::kFull);
  // History; `bytes` is its approximate memory while it waits.
  void append(Work work, std::size_t bytes, WallTime now);
  // Reads, after the commits and the history requested before.
  void look(Work work, Done done, WallTime now);

  void stop();

  [[nodiscard]] WriterCounts counts() const;

 private:
  struct Commit {
    Work work{};
    Done done{};
    Durability durability = Durability::kFull;
  };
  struct History {
    Work work{};
    std::size_t bytes = 0;
  };
  struct Turn {
    std::deque<Commit> commits{};
    std::deque<History> history{};
    std::deque<Commit> looks{};
    WallTime now{};
    bool over = false;
  };

  void run();
  Turn next_turn();
  void write_commits(Turn& turn);
  Result<bool> try_commits(const std::deque<Commit>& commits);
  Result<bool> put_back(WallTime now);
  Result<bool> open_again(WallTime now);
  Result<bool> mend(const Error& why, WallTime now);
  Result<bool> replace(const Error& damage, WallTime now);
  void take(OpenedStore opened);
  void write_history(const Turn& turn);
  Result<std::size_t> put_history(const Turn& turn);
  Result<std::size_t> try_history(const Turn& turn);
  Result<bool> history_may_be_written();
  Result<bool> read(const Work& work, WallTime now);
  void tidy_up();
  void answer(Commit& commit, Result<bool> outcome);
  void count_dropped(std::size_t number);

  boost::asio::any_io_executor loop_;
  std::string path_;
  OnNewFile on_new_file_;

  // Used by the thread only.
  StoreFile file_;
  StoreReserve reserve_;
  HistoryLimits limits_;

  mutable std::mutex mutex_{};
  std::condition_variable bell_{};
  // Guarded by the mutex.
  std::deque<Commit> commits_{};
  std::deque<History> history_{};
  std::deque<Commit> looks_{};
  std::size_t history_bytes_ = 0;
  WallTime now_{};
  bool stopping_ = false;
  WriterCounts counts_{};

  std::thread thread_{};
};

}  // namespace berth::agent
