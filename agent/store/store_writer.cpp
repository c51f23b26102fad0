// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_writer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>

#include "agent/store/store_open.hpp"

namespace berth::agent {
namespace {

// Memory limit for waiting history: berthd's whole memory is 25 MiB.
constexpr std::size_t kMostHistoryBytes = 4 << 20;
// Records per transaction: a commit that arrives meanwhile waits for one such (about 2 ms).
constexpr std::size_t kHistoryAtOnce = 64;
// History is delayed to be batched: decisions come in bursts, and a commit that a caller waits for
// should not find the thread busy with history.
constexpr auto kHistoryLingers = std::chrono::milliseconds(10);
// Pages in the log from which it is moved into the file: while no caller waits (SQLite's own
// number), or unconditionally (16 MiB).
constexpr int kLogPagesIdle = 1000;
constexpr int kLogPagesAtLast = 4000;

constexpr const char* kNotOpen = "the state file was damaged, and no new one could be made yet";

}  // namespace

StoreWriter::StoreWriter(boost::asio::any_io_executor loop, std::string path, StoreFile file,
                         HistoryLimits limits, OnNewFile on_new_file)
    : loop_(std::move(loop)),
      path_(std::move(path)),
      on_new_file_(std::move(on_new_file)),
      file_(std::move(file)),
      reserve_(StoreReserve::path_for(path_)),
      limits_(limits),
      thread_([this] { run(); }) {}

StoreWriter::~StoreWriter() {
  stop();
}

void StoreWriter::commit(Work work, Done done, WallTime now, Durability durability) {
  Commit commit{.work = std::move(work), .done = std::move(done), .durability = durability};
  {
    const std::lock_guard lock(mutex_);
    ++counts_.commits;
    now_ = now;
    if (!stopping_) {
      commits_.push_back(std::move(commit));
      bell_.notify_one();
      return;
    }
  }
  answer(commit, fail(ErrorCode::kCancelled, "the store is closed"));
}

void StoreWriter::append(Work work, std::size_t bytes, WallTime now) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  now_ = now;
  if (history_.empty()) bell_.notify_one();
  history_.push_back({.work = std::move(work), .bytes = bytes});
  history_bytes_ += bytes;
  while (history_bytes_ > kMostHistoryBytes && history_.size() > 1) {
    history_bytes_ -= history_.front().bytes;
    history_.pop_front();
    ++counts_.history_dropped;
  }
}

void StoreWriter::look(Work work, Done done, WallTime now) {
  Commit look{.work = std::move(work), .done = std::move(done)};
  {
    const std::lock_guard lock(mutex_);
    now_ = now;
    if (!stopping_) {
      looks_.push_back(std::move(look));
      bell_.notify_one();
      return;
    }
  }
  answer(look, fail(ErrorCode::kCancelled, "the store is closed"));
}

void StoreWriter::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    bell_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

WriterCounts StoreWriter::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void StoreWriter::run() {
  for (Turn turn = next_turn(); !turn.over; turn = next_turn()) {
    if (!turn.commits.empty()) write_commits(turn);
    if (!turn.history.empty()) write_history(turn);
    for (auto& look : turn.looks) {
      auto outcome = read(look.work, turn.now);
      answer(look, std::move(outcome));
    }
    if (file_.is_open()) tidy_up();
    turn = Turn();  // destroys its content before waiting for the next one
  }
  // Closed here, on its own thread; closing moves the log into the file.
  file_ = StoreFile();
}

StoreWriter::Turn StoreWriter::next_turn() {
  std::unique_lock lock(mutex_);
  const auto asked = [this] { return stopping_ || !commits_.empty() || !looks_.empty(); };
  bell_.wait(lock, [this, &asked] { return asked() || !history_.empty(); });
  bell_.wait_for(lock, kHistoryLingers, asked);
  Turn turn;
  turn.now = now_;
  turn.commits.swap(commits_);
  const bool may_wait = !turn.commits.empty() && history_bytes_ < kMostHistoryBytes / 2;
  const std::size_t at_once = may_wait ? 0 : kHistoryAtOnce;
  for (std::size_t i = 0; i < at_once && !history_.empty(); ++i) {
    history_bytes_ -= history_.front().bytes;
    turn.history.push_back(std::move(history_.front()));
    history_.pop_front();
  }
  if (history_.empty()) turn.looks.swap(looks_);
  turn.over = turn.commits.empty() && turn.history.empty() && turn.looks.empty();
  return turn;
}

// Moves the function along: its captures are destroyed on the loop, or with the loop.
void StoreWriter::answer(Commit& commit, Result<bool> outcome) {
  boost::asio::post(loop_, [done = std::move(commit.done), outcome = std::move(outcome)]() mutable {
    done(std::move(outcome));
  });
}

void StoreWriter::write_commits(Turn& turn) {
  auto outcome = put_back(turn.now);
  if (outcome) outcome = open_again(turn.now);
  if (outcome) outcome = try_commits(turn.commits);
  if (!outcome && file_.is_open()) {
    const auto mended = mend(outcome.error(), turn.now);
    if (mended) outcome = *mended ? try_commits(turn.commits) : std::move(outcome);
    if (!mended) outcome = fail(mended.error());
  }
  for (auto& commit : turn.commits) answer(commit, outcome);
  if (outcome) reserve_.restore();
}

Result<bool> StoreWriter::try_commits(const std::deque<Commit>& commits) {
  const bool full = std::ranges::any_of(
      commits, [](const Commit& commit) { return commit.durability == Durability::kFull; });
  auto outcome = file_.begin(full ? Durability::kFull : Durability::kNormal);
  for (const auto& commit : commits) {
    if (outcome) outcome = commit.work(file_);
  }
  if (outcome) outcome = file_.commit();
  if (!outcome) {
    file_.roll_back();
    return outcome;
  }
  const std::lock_guard lock(mutex_);
  ++counts_.transactions;
  return true;
}

// Commits into a file without a name would be lost with berthd.
Result<bool> StoreWriter::put_back(WallTime now) {
  if (!file_.is_open() || !file_.has_moved()) return true;
  auto anew = write_anew(file_, path_, now);
  if (!anew) return fail(anew.error());
  file_ = std::move(*anew);
  {
    const std::lock_guard lock(mutex_);
    ++counts_.written_anew;
  }
  if (on_new_file_) boost::asio::post(loop_, on_new_file_);
  return true;
}

// Only after a damaged file could not be replaced.
Result<bool> StoreWriter::open_again(WallTime now) {
  if (file_.is_open()) return true;
  auto opened = open_store(path_, now);
  if (!opened) return fail(opened.error());
  take(std::move(*opened));
  return true;
}

// True if retrying makes sense.
Result<bool> StoreWriter::mend(const Error& why, WallTime now) {
  if (file_.out_of_space()) {
    reserve_.release();
    // First free pages in the file, then the log, which can start over once it is moved.
    static_cast<void>(make_room(file_));
    file_.checkpoint();
    return true;
  }
  return file_.damaged() ? replace(why, now) : false;
}

Result<bool> StoreWriter::replace(const Error& damage, WallTime now) {
  auto replaced = replace_damaged(std::move(file_), path_, damage, now);
  if (!replaced) return fail(wrap("replacing a damaged file", replaced.error()));
  take(std::move(*replaced));
  return true;
}

void StoreWriter::take(OpenedStore opened) {
  file_ = std::move(opened.file);
  if (opened.moved_aside.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    counts_.moved_aside = std::move(opened.moved_aside);
  }
  if (on_new_file_) boost::asio::post(loop_, on_new_file_);
}

Result<bool> StoreWriter::history_may_be_written() {
  if (!reserve_.held()) reserve_.restore();
  if (!reserve_.held()) return false;
  auto fits = history_fits(file_, limits_);
  if (!fits || *fits) return fits;
  if (auto made = make_room(file_); !made) return made;
  return history_fits(file_, limits_);
}

void StoreWriter::write_history(const Turn& turn) {
  const std::size_t all = turn.history.size();
  if (!put_back(turn.now) || !open_again(turn.now)) return count_dropped(all);
  auto written = put_history(turn);
  // Damage does not pass: nothing could be written any more.
  if (!written && file_.damaged() && replace(written.error(), turn.now))
    written = put_history(turn);
  if (!written) return count_dropped(all);
  count_dropped(all - *written);
  const std::lock_guard lock(mutex_);
  counts_.history_written += *written;
}

// Returns how many were written: none if there is no room.
Result<std::size_t> StoreWriter::put_history(const Turn& turn) {
  const auto may = history_may_be_written();
  if (!may) return fail(may.error());
  if (!*may) return std::size_t{0};
  auto written = try_history(turn);
  if (!written && file_.out_of_space()) {
    static_cast<void>(make_room(file_));
    written = try_history(turn);
  }
  return written;
}

// A row that fails for a reason of its own is skipped.
Result<std::size_t> StoreWriter::try_history(const Turn& turn) {
  std::size_t written = 0;
  auto outcome = file_.begin(Durability::kNormal);
  for (const auto& item : turn.history) {
    if (!outcome) break;
    const auto put = item.work(file_);
    if (put) ++written;
    if (!put && (file_.out_of_space() || file_.damaged())) outcome = put;
  }
  if (outcome) outcome = trim_history(file_, limits_, turn.now);
  if (outcome) outcome = file_.commit();
  if (outcome) return written;
  file_.roll_back();
  return fail(outcome.error());
}

// The answer is the error, also if the file was replaced: what was requested is no longer there.
Result<bool> StoreWriter::read(const Work& work, WallTime now) {
  if (!file_.is_open()) return fail(ErrorCode::kUnavailable, kNotOpen);
  auto outcome = work(file_);
  if (!outcome && file_.damaged()) static_cast<void>(replace(outcome.error(), now));
  return outcome;
}

void StoreWriter::count_dropped(std::size_t number) {
  const std::lock_guard lock(mutex_);
  counts_.history_dropped += number;
}

void StoreWriter::tidy_up() {
  if (file_.log_pages() < kLogPagesIdle) return;
  {
    const std::lock_guard lock(mutex_);
    const bool idle = commits_.empty() && history_.empty() && looks_.empty();
    if (!idle && file_.log_pages() < kLogPagesAtLast) return;
  }
  file_.checkpoint();
}

}  // namespace berth::agent
