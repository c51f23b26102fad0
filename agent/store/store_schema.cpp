// SPDX-License-Identifier: Apache-2.0

#include "agent/store/store_schema.hpp"

#include <array>
#include <filesystem>

#include <fmt/format.h>

namespace berth::agent {
namespace {

// One step per schema: entry N migrates from N to N+1. Never changed once released.
constexpr std::array<const char*, kStoreSchema> kSteps{
    R"sql(
CREATE TABLE pods(
  uid TEXT PRIMARY KEY NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  incarnation INTEGER NOT NULL, verdict TEXT NOT NULL, updated_at INTEGER NOT NULL,
  memory TEXT NOT NULL) STRICT;
CREATE TABLE events(
  key TEXT PRIMARY KEY NOT NULL, last_seen INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
CREATE INDEX events_last_seen ON events(last_seen);
CREATE TABLE specs(id INTEGER PRIMARY KEY, uid TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX specs_uid ON specs(uid);
CREATE TABLE ledger(
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, uid TEXT NOT NULL, namespace TEXT NOT NULL,
  pod TEXT NOT NULL, kind TEXT NOT NULL, next INTEGER, spec INTEGER, spec_at INTEGER,
  reasons TEXT NOT NULL, input TEXT NOT NULL, output TEXT NOT NULL) STRICT;
CREATE INDEX ledger_uid ON ledger(uid);
CREATE INDEX ledger_pod ON ledger(namespace, pod);
CREATE INDEX ledger_spec ON ledger(spec) WHERE spec IS NOT NULL;
PRAGMA user_version=1;
)sql",
};

Result<bool> apply_steps(StoreFile& file, std::int64_t from) {
  for (auto step = static_cast<std::size_t>(from); step < kSteps.size(); ++step) {
    auto applied = file.execute(kSteps.at(step));
    if (!applied) return applied;
  }
  return file.commit();
}

}  // namespace

Result<bool> check_schema(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none) || std::filesystem::file_size(path, none) == 0) {
    return true;
  }
  auto file = StoreFile::open_to_look(path);
  if (!file) return fail(file.error());
  const auto version = file->number("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (*version > kStoreSchema) {
    return fail(
        ErrorCode::kUnimplemented,
        fmt::format("{} has schema {}, and this berthd knows schemas up to {}: a newer berthd "
                    "wrote it. Nothing was changed. Install that version again; or, to give up "
                    "restart counts, final statuses, events and the ledger, move the file away",
                    path, *version, kStoreSchema));
  }
  const auto tables = file->number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return fail(tables.error());
  if (*version <= 0 && *tables > 0) {
    return fail(ErrorCode::kAlreadyExists,
                fmt::format("{} is a database, but not berthd's. Nothing was changed. Move it "
                            "away, or choose another directory with --root-dir",
                            path));
  }
  return true;
}

Result<bool> migrate(StoreFile& file) {
  const auto version = file.number("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (*version == kStoreSchema) return true;
  auto begun = file.begin(Durability::kFull);
  if (!begun) return begun;
  auto applied = apply_steps(file, *version);
  if (!applied) file.roll_back();
  return applied;
}

}  // namespace berth::agent
