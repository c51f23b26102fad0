// Opening the state file at start, whatever state it is in.
//
// Missing: made. Of an older schema: brought forward. On a full disk: opened in the room of the
// reserve that an earlier berthd left. Of a newer schema, of somebody else, or not to be opened: an
// error that says what to do, and the file stays as it is. Damaged (SQLite says malformed, or no
// database): pods must run, so it is moved aside as `<path>.corrupt-<time>`, and a new one begins
// with the pods' memories and events that could still be read. Blocks; at start on the loop's
// thread, later on the writer's.
#pragma once

#include <string>
#include <vector>

#include "agent/store_file.hpp"
#include "agent/store_tables.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct OpenedStore {
  StoreFile file{};
  std::vector<PodRow> pods{};
  std::vector<EventRow> events{};
  std::string moved_aside{};  // where a damaged file lies now; empty: it was sound
  std::string damage{};       // what SQLite said of it
};

[[nodiscard]] Result<OpenedStore> open_store(const std::string& path, WallTime now);

// For a file that turns out to be damaged while it is used. `damaged` is closed.
[[nodiscard]] Result<OpenedStore> replace_damaged(StoreFile damaged, const std::string& path,
                                                  const Error& damage, WallTime now);

// For a file that was deleted, moved or replaced while it is used: whoever has it open still has
// all of it. That is copied to a new file at `path`, which is given back; another one there is
// moved aside as `<path>.replaced-<time>`. `moved` is closed once its copy is in place, and stays
// as it is before: then the error says why, and this can be tried again.
[[nodiscard]] Result<StoreFile> write_anew(StoreFile& moved, const std::string& path, WallTime now);

}  // namespace berth::agent
