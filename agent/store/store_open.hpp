// SPDX-License-Identifier: Apache-2.0

// Opens the state file at start, whatever state it is in.
//
// Missing: created. Older schema: migrated. Full disk: opened in the space of the reserve that an
// earlier berthd left. A newer schema, another program's file, or one that cannot be opened: an
// error that says what to do, and the file stays as it is. Damaged (SQLite reports malformed, or no
// database): pods must run, so it is moved aside as `<path>.corrupt-<time>`, and a new one starts
// with the pods' memories and events that are still readable. Blocks; on the loop's thread at
// start, on the writer's later.
#pragma once

#include <string>
#include <vector>

#include "agent/store/store_file.hpp"
#include "agent/store/store_tables.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct OpenedStore {
  StoreFile file{};
  std::vector<PodRow> pods{};
  std::vector<EventRow> events{};
  std::string moved_aside{};  // where a damaged file was moved; empty if it was sound
  std::string damage{};       // SQLite's error about it
};

[[nodiscard]] Result<OpenedStore> open_store(const std::string& path, WallTime now);

// For a file that turns out to be damaged while in use. Closes `damaged`.
[[nodiscard]] Result<OpenedStore> replace_damaged(StoreFile damaged, const std::string& path,
                                                  const Error& damage, WallTime now);

// For a file that was deleted, moved or replaced while in use: the open connection still has all of
// it. It is copied to a new file at `path`, which is returned; another file there is moved aside as
// `<path>.replaced-<time>`. `moved` is closed once its copy is in place; until then it stays as it
// is: the error then says why, and the call can be retried.
[[nodiscard]] Result<StoreFile> write_anew(StoreFile& moved, const std::string& path, WallTime now);

}  // namespace berth::agent
