// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_history.hpp"

#include <algorithm>
#include <initializer_list>

namespace berth::agent {
namespace {

// Maximum dropped at once by age, so that one turn of the writer stays short after a long pause.
constexpr std::int64_t kMostAtOnce = 500;

Result<bool> run(StoreFile& file, const char* sql, std::initializer_list<std::int64_t> numbers) {
  auto statement = file.prepared(sql);
  if (!statement) return fail(statement.error());
  int place = 0;
  for (const auto number : numbers) statement->bind(++place, number);
  return file.run(*statement);
}

Result<bool> drop_unused_specs(StoreFile& file) {
  return file.execute(
      "DELETE FROM specs WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.spec = specs.id)");
}

// Numbers are assigned in order and only the oldest rows are dropped, so the span is the count.
Result<std::int64_t> record_count(StoreFile& file) {
  const auto first = file.number("SELECT min(seq) FROM ledger");
  if (!first || *first == 0) return first;
  const auto last = file.number("SELECT max(seq) FROM ledger");
  if (!last) return last;
  return *last - *first + 1;
}

Result<bool> drop_oldest_records(StoreFile& file, std::int64_t count) {
  auto dropped =
      run(file, "DELETE FROM ledger WHERE seq < (SELECT min(seq) FROM ledger) + ?1", {count});
  if (!dropped) return dropped;
  return drop_unused_specs(file);
}

Result<bool> trim_records(StoreFile& file, const HistoryLimits& limits) {
  const auto count = record_count(file);
  if (!count) return fail(count.error());
  if (*count > limits.records) {
    // Drops some more than necessary, so that the next turns have nothing to do.
    const auto slack = std::max<std::int64_t>(1, limits.records / 100);
    auto dropped = drop_oldest_records(file, *count - limits.records + slack - 1);
    if (!dropped) return dropped;
  }
  const Nanoseconds age = limits.record_age;
  const auto oldest = file.number("SELECT at FROM ledger ORDER BY seq LIMIT 1");
  const auto newest = file.number("SELECT at FROM ledger ORDER BY seq DESC LIMIT 1");
  if (!oldest || !newest) return fail((oldest ? newest : oldest).error());
  if (*oldest >= *newest - age.count()) return true;
  auto dropped = run(file,
                     "DELETE FROM ledger WHERE seq IN (SELECT seq FROM ledger ORDER BY seq LIMIT "
                     "?2) AND at < ?1",
                     {*newest - age.count(), kMostAtOnce});
  if (!dropped) return dropped;
  return drop_unused_specs(file);
}

// Events of a clock that was ahead neither count as the newest nor outlast later ones.
Result<bool> trim_events(StoreFile& file, const EventLimits& limits, WallTime now) {
  const Nanoseconds age = limits.age;
  const std::int64_t present = now.time_since_epoch().count();
  const auto most = static_cast<std::int64_t>(limits.count);
  auto dropped =
      run(file,
          "DELETE FROM events WHERE last_seen < min((SELECT max(last_seen) FROM events), ?2) - ?1",
          {age.count(), present});
  if (!dropped) return dropped;
  dropped = run(file,
                "DELETE FROM events WHERE key IN (SELECT key FROM events WHERE last_seen > ?2 "
                "ORDER BY last_seen LIMIT max(0, (SELECT count(*) FROM events) - ?1))",
                {most, present});
  if (!dropped) return dropped;
  return run(file,
             "DELETE FROM events WHERE key IN (SELECT key FROM events ORDER BY last_seen LIMIT "
             "max(0, (SELECT count(*) FROM events) - ?1))",
             {most});
}

Result<bool> drop_some(StoreFile& file) {
  const auto count = record_count(file);
  if (!count) return fail(count.error());
  if (*count == 0) return file.execute("DELETE FROM events");
  return drop_oldest_records(file, std::max(kMostAtOnce, *count / 10));
}

}  // namespace

Result<bool> trim_history(StoreFile& file, const HistoryLimits& limits, WallTime now) {
  auto trimmed = trim_records(file, limits);
  if (!trimmed) return trimmed;
  return trim_events(file, limits.events, now);
}

Result<bool> make_room(StoreFile& file) {
  auto done = file.begin(Durability::kNormal);
  if (!done) return done;
  done = drop_some(file);
  if (done) done = file.commit();
  if (!done) file.roll_back();
  return done;
}

Result<bool> history_fits(StoreFile& file, const HistoryLimits& limits) {
  const auto used = file.used_bytes();
  if (!used) return fail(used.error());
  return *used < limits.file_bytes;
}

}  // namespace berth::agent
