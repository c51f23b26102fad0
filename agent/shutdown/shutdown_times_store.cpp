// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_times_store.hpp"

#include <cstdint>
#include <memory>
#include <optional>

#include "agent/store/store_file.hpp"

namespace berth::agent {
namespace {

// Nanoseconds since 1970; NULL if unset.
constexpr const char* kTable = R"sql(
CREATE TABLE IF NOT EXISTS last_shutdown(
  id INTEGER PRIMARY KEY CHECK(id = 1), begun INTEGER, ended INTEGER) STRICT;
)sql";

void bind(Statement& statement, int place, const std::optional<WallTime>& time) {
  if (time)
    statement.bind(place, std::int64_t{time->time_since_epoch().count()});
  else
    statement.bind_null(place);
}

std::optional<WallTime> time_in(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return WallTime{Nanoseconds{row.number(column)}};
}

Result<bool> put(StoreFile& file, const ShutdownTimes& times) {
  auto made = file.execute(kTable);
  if (!made) return made;
  auto statement = file.prepared("INSERT OR REPLACE INTO last_shutdown VALUES(1, ?, ?)");
  if (!statement) return fail(statement.error());
  bind(*statement, 1, times.start);
  bind(*statement, 2, times.end);
  return file.run(*statement);
}

Result<bool> read(StoreFile& file, ShutdownTimes& times) {
  const auto tables = file.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'last_shutdown'");
  if (!tables) return fail(tables.error());
  if (*tables == 0) return true;
  auto select = file.prepared("SELECT begun, ended FROM last_shutdown");
  if (!select) return fail(select.error());
  const auto row = file.step(*select);
  if (!row || !*row) return row;
  times = {.start = time_in(*select, 0), .end = time_in(*select, 1)};
  file.reset(*select);
  return true;
}

}  // namespace

void ShutdownTimesStore::keep(const ShutdownTimes& times) {
  store_.append([times](StoreFile& file) { return put(file, times); }, sizeof times);
}

boost::asio::awaitable<Result<ShutdownTimes>> ShutdownTimesStore::recall() {
  auto found = std::make_shared<ShutdownTimes>();
  auto reading = store_.look([found](StoreFile& file) { return read(file, *found); });
  const auto done = co_await std::move(reading);
  if (!done) co_return fail(done.error());
  co_return *found;
}

}  // namespace berth::agent
