// SPDX-License-Identifier: Apache-2.0

#include "agent/store/sqlite_store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "agent/events/event_json.hpp"
#include "agent/store/memory_json.hpp"
#include "agent/store/store_open.hpp"
#include "agent/store/store_tables.hpp"
#include "agent/store/store_writer.hpp"
#include "base/notification.hpp"

namespace berth::agent {
namespace {

using lifecycle::LedgerRecord;
using lifecycle::PodMemoryPtr;

// A caller that waits for the writer; owned jointly by caller and completion.
template <class T>
struct Wait {
  explicit Wait(boost::asio::any_io_executor loop) : bell(std::move(loop)) {}

  Notification bell;
  std::optional<Result<T>> answer{};
};

template <class T>
boost::asio::awaitable<Result<T>> answer_of(std::shared_ptr<Wait<T>> wait) {
  while (!wait->answer) co_await wait->bell.wait();
  co_return std::move(*wait->answer);
}

// The record's approximate size in memory.
std::size_t size_of(const LedgerRecord& record) {
  constexpr std::size_t kReason = 200;
  return sizeof(LedgerRecord) + record.input.size() + record.output.size() +
         record.reasons.size() * kReason;
}

constexpr std::size_t kEventSize = 2000;

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(boost::asio::any_io_executor loop,
                                                       Clock& clock, Log& log, std::string path,
                                                       HistoryLimits limits) {
  auto opened = open_store(path, clock.wall_now());
  if (!opened) return fail(opened.error());
  std::unique_ptr<SqliteStore> store(new SqliteStore(loop, clock, log));
  store->understand(*opened, path);
  auto on_new_file = [self = store.get(), alive = std::weak_ptr(store->alive_)] {
    if (!alive.expired()) self->report_new_file();
  };
  store->writer_ = std::make_unique<StoreWriter>(
      std::move(loop), std::move(path), std::move(opened->file), limits, std::move(on_new_file));
  return store;
}

SqliteStore::SqliteStore(boost::asio::any_io_executor loop, Clock& clock, Log& log)
    : loop_(std::move(loop)), clock_(clock), log_(log) {}

SqliteStore::~SqliteStore() {
  close();
}

void SqliteStore::understand(const OpenedStore& opened, const std::string& path) {
  moved_aside_ = opened.moved_aside;
  if (!moved_aside_.empty()) {
    log_.write(
        LogLevel::kError, "StoreDamaged",
        fmt::format("{} was damaged ({}) and is now {}; a new file begins with the {} pods "
                    "and {} events that could be read. Check the disk",
                    path, opened.damage, moved_aside_, opened.pods.size(), opened.events.size()),
        {});
  }
  for (const auto& row : opened.pods) {
    auto memory = read_memory(row.memory);
    if (memory && (*memory)->uid == row.uid) {
      recalled_.push_back(std::move(*memory));
      continue;
    }
    ++unreadable_pods_;
    const std::string why = memory ? "it names another uid" : memory.error().message;
    log_.write(LogLevel::kError, "StoreUnreadable",
               fmt::format("{}: the record of pod {}/{} cannot be read ({}); the row stays, and "
                           "the pod continues without it",
                           path, row.namespace_, row.name, why),
               {{"POD_UID", row.uid}, {"NAMESPACE", row.namespace_}, {"POD", row.name}});
  }
  for (const auto& row : opened.events) {
    auto event = read_event(row.event);
    if (event) recalled_events_.push_back(std::make_shared<const api::Event>(std::move(*event)));
  }
}

void SqliteStore::report_new_file() {
  const auto counts = writer_->counts();
  if (!counts.moved_aside.empty() && counts.moved_aside != moved_aside_) {
    moved_aside_ = counts.moved_aside;
    log_.write(LogLevel::kError, "StoreDamaged",
               "the state file proved damaged and is now " + moved_aside_ +
                   "; a new one continues with the pods and events that could be read, and "
                   "without earlier decisions. Check the disk",
               {});
  }
  if (counts.written_anew != std::exchange(written_anew_, counts.written_anew)) {
    log_.warn("StoreWrittenAnew",
              "the state file was deleted, moved or replaced while berthd used it: berthd wrote it "
              "again with its whole content; a file that somebody put in its place is now "
              "state.db.replaced-TIME");
  }
}

void SqliteStore::learn(SteadyTime asked_at, const Result<bool>& outcome) {
  if (const auto asked = std::ranges::find(asked_, asked_at); asked != asked_.end())
    asked_.erase(asked);
  if (outcome && failing_since_) {
    log_.info("StoreMended", "the state file can be written again");
    failing_since_.reset();
    failed_first_.reset();
    error_.clear();
  }
  if (outcome || outcome.error().code == ErrorCode::kCancelled) return;
  error_ = outcome.error().message;
  if (failing_since_) return;
  failing_since_ = clock_.wall_now();
  failed_first_ = asked_at;
  log_.write(LogLevel::kError, "StoreFailing",
             error_ + "; containers are not started until it can be written", {});
}

std::vector<PodMemoryPtr> SqliteStore::recall() {
  return std::exchange(recalled_, {});
}

std::vector<EventPtr> SqliteStore::recall_events() {
  return std::exchange(recalled_events_, {});
}

boost::asio::awaitable<Result<bool>> SqliteStore::commit(lifecycle::StoreBatch batch) {
  const auto now = clock_.wall_now();
  const auto asked_at = clock_.steady_now();
  asked_.push_back(asked_at);
  const auto durability =
      batch.outlives == lifecycle::Outlives::kMachine ? Durability::kFull : Durability::kNormal;
  auto wait = std::make_shared<Wait<bool>>(loop_);
  auto work = [batch = std::make_shared<const lifecycle::StoreBatch>(std::move(batch)),
               now](StoreFile& file) { return put_batch(file, *batch, now); };
  auto done = [this, wait, asked_at, alive = std::weak_ptr(alive_)](const Result<bool>& outcome) {
    if (!alive.expired()) learn(asked_at, outcome);
    wait->answer = outcome;
    wait->bell.notify();
  };
  writer_->commit(std::move(work), std::move(done), now, durability);
  return answer_of(std::move(wait));
}

void SqliteStore::write(LedgerRecord record) {
  const std::size_t size = size_of(record);
  auto work = [record = std::make_shared<const LedgerRecord>(std::move(record))](StoreFile& file) {
    return put_record(file, *record);
  };
  append(std::move(work), size);
}

boost::asio::awaitable<Result<std::vector<LedgerRecord>>> SqliteStore::read_ledger(
    LedgerQuery query) {
  using Records = std::vector<LedgerRecord>;
  auto wait = std::make_shared<Wait<Records>>(loop_);
  auto found = std::make_shared<Records>();
  auto work = [found, query = std::move(query)](StoreFile& file) -> Result<bool> {
    auto records = read_records(file, query);
    if (!records) return fail(records.error());
    *found = std::move(*records);
    return true;
  };
  auto done = [wait, found](const Result<bool>& outcome) {
    if (outcome) wait->answer.emplace(std::move(*found));
    if (!outcome) wait->answer.emplace(fail(outcome.error()));
    wait->bell.notify();
  };
  writer_->look(std::move(work), std::move(done), clock_.wall_now());
  return answer_of(std::move(wait));
}

boost::asio::awaitable<void> SqliteStore::turn() {
  auto looking = look([](StoreFile& /*file*/) -> Result<bool> { return true; });
  static_cast<void>(co_await std::move(looking));
}

void SqliteStore::append(Work work, std::size_t bytes) {
  writer_->append(std::move(work), bytes, clock_.wall_now());
}

boost::asio::awaitable<Result<bool>> SqliteStore::look(Work work) {
  auto wait = std::make_shared<Wait<bool>>(loop_);
  auto done = [wait](const Result<bool>& outcome) {
    wait->answer.emplace(outcome);
    wait->bell.notify();
  };
  writer_->look(std::move(work), std::move(done), clock_.wall_now());
  return answer_of(std::move(wait));
}

void SqliteStore::keep(EventPtr event) {
  auto work = [event = std::move(event)](StoreFile& file) {
    return put_event(file, row_of(*event));
  };
  append(std::move(work), kEventSize);
}

std::optional<SteadyTime> SqliteStore::silent_since() const {
  if (failed_first_ || asked_.empty()) return failed_first_;
  return asked_.front();
}

StoreHealth SqliteStore::health() const {
  const auto counts = writer_->counts();
  return {.failing_since = failing_since_,
          .error = error_,
          .silent_since = silent_since(),
          .commits = counts.commits,
          .transactions = counts.transactions,
          .history_written = counts.history_written,
          .history_dropped = counts.history_dropped,
          .unreadable_pods = unreadable_pods_,
          .moved_aside = moved_aside_};
}

void SqliteStore::close() {
  if (writer_) writer_->stop();
}

}  // namespace berth::agent
