// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_open.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "agent/store/store_reserve.hpp"
#include "agent/store/store_schema.hpp"

namespace berth::agent {
namespace {

// The meaning of StoreFile's codes here.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::kInvalid;
}

// Reads all pages of pods and events; a damaged ledger shows when it is used.
Result<bool> check_pods(StoreFile& file) {
  auto check = file.prepared("PRAGMA quick_check('pods')");
  if (!check) return fail(check.error());
  auto row = file.step(*check);
  if (!row) return row;
  const std::string found = *row ? check->text(0) : "ok";
  file.reset(*check);
  if (found != "ok") return fail(ErrorCode::kInvalid, "the table pods is malformed: " + found);
  return true;
}

Result<bool> read_all(OpenedStore& store) {
  auto done = check_pods(store.file);
  if (done) done = read_pods(store.file, store.pods);
  if (done) done = read_events(store.file, store.events);
  return done;
}

Result<StoreFile> open_ready(const std::string& path) {
  auto file = StoreFile::open(path);
  if (!file) return file;
  auto done = file->configure();
  if (done) done = migrate(*file);
  if (!done) return fail(done.error());
  return file;
}

// 20260102T150405Z.
std::string stamp(WallTime now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{seconds - day};
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

// Including its log, without which an SQLite file is incomplete. The shared memory is recreated.
Result<std::string> move_aside(const std::string& path, WallTime now) {
  const std::string aside = path + ".corrupt-" + stamp(now);
  std::error_code bad;
  std::filesystem::rename(path, aside, bad);
  if (bad) {
    return fail(ErrorCode::kPermission,
                fmt::format("moving the damaged {} to {}: {}; move it away by hand", path, aside,
                            bad.message()));
  }
  std::error_code none;
  std::filesystem::rename(path + "-wal", aside + "-wal", none);
  std::filesystem::remove(path + "-shm", none);
  return aside;
}

Result<bool> put_all(OpenedStore& store) {
  auto done = store.file.begin(Durability::kFull);
  for (const auto& row : store.pods) {
    if (done) done = put_pod(store.file, row);
  }
  for (const auto& row : store.events) {
    if (done) done = put_event(store.file, row);
  }
  if (done) done = store.file.commit();
  if (!done) store.file.roll_back();
  return done;
}

// For a file that could not be replaced after all: it is not lost, and the next one to open it can
// try again.
void move_back(const std::string& aside, const std::string& path) {
  std::error_code none;
  std::filesystem::remove(path + "-wal", none);
  std::filesystem::remove(path + "-shm", none);
  std::filesystem::rename(aside + "-wal", path + "-wal", none);
  std::filesystem::rename(aside, path, none);
}

Result<bool> begin_file(OpenedStore& store, const std::string& path) {
  auto file = open_ready(path);
  if (!file) return fail(file.error());
  store.file = std::move(*file);
  return put_all(store);
}

Result<OpenedStore> begin_anew(OpenedStore salvaged, const std::string& path, const Error& damage,
                               WallTime now) {
  auto aside = move_aside(path, now);
  if (!aside) return fail(aside.error());
  const auto begun = begin_file(salvaged, path);
  if (!begun) {
    salvaged.file = StoreFile();  // closing it touches its log, which is found by name
    move_back(*aside, path);
    return fail(begun.error());
  }
  salvaged.moved_aside = std::move(*aside);
  salvaged.damage = damage.message;
  return salvaged;
}

Result<OpenedStore> try_open(const std::string& path, WallTime now) {
  Error damage;
  const auto known = check_schema(path);
  if (!known && !is_damage(known.error())) return fail(known.error());
  if (!known) damage = known.error();
  OpenedStore store;
  if (known) {
    auto file = open_ready(path);
    if (!file && !is_damage(file.error())) return fail(file.error());
    if (file) {
      store.file = std::move(*file);
      const auto read = read_all(store);
      if (read) return store;
      if (!is_damage(read.error())) return fail(read.error());
      return replace_damaged(std::move(store.file), path, read.error(), now);
    }
    damage = file.error();
  }
  return begin_anew(std::move(store), path, damage, now);
}

}  // namespace

Result<OpenedStore> open_store(const std::string& path, WallTime now) {
  auto opened = try_open(path, now);
  if (opened || opened.error().code != ErrorCode::kUnavailable) return opened;
  std::error_code none;
  if (!std::filesystem::remove(StoreReserve::path_for(path), none)) return opened;
  return try_open(path, now);
}

Result<OpenedStore> replace_damaged(StoreFile damaged, const std::string& path, const Error& damage,
                                    WallTime now) {
  OpenedStore salvaged;
  {
    StoreFile closed_at_the_end = std::move(damaged);
    closed_at_the_end.roll_back();
    static_cast<void>(read_pods(closed_at_the_end, salvaged.pods));
    static_cast<void>(read_events(closed_at_the_end, salvaged.events));
  }
  return begin_anew(std::move(salvaged), path, damage, now);
}

// A remaining log and shared memory belong to the file that was removed.
Result<StoreFile> write_anew(StoreFile& moved, const std::string& path, WallTime now) {
  namespace fs = std::filesystem;
  const std::string copy = path + ".new";
  std::error_code none;
  fs::remove(copy, none);
  const auto copied = moved.copy_to(copy);
  if (!copied) return fail(wrap("writing the state file anew", copied.error()));
  fs::rename(path, path + ".replaced-" + stamp(now), none);
  fs::remove(path + "-wal", none);
  fs::remove(path + "-shm", none);
  std::error_code bad;
  fs::rename(copy, path, bad);
  if (bad) {
    return fail(ErrorCode::kPermission,
                fmt::format("moving {} to {}: {}", copy, path, bad.message()));
  }
  moved = StoreFile();
  return open_ready(path);
}

}  // namespace berth::agent
