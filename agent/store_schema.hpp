// What is in the state file, and how an older one becomes today's.
//
// The schema's number is the file's `user_version`. A file of a newer berthd is refused and left as
// it is; an older one is brought forward in one transaction.
//
// Schema 1:
//   pods    a row an incarnation: what must outlive berthd (memory_json.hpp)
//   events  a row an event of the Kubernetes API, under its namespace and name
//   ledger  a row a decision or fact, numbered in order; `spec` and `spec_at`: see store_tables.hpp
//   specs   pods as they stand in the inputs of ledger records, once each
// Times are nanoseconds since 1970.
#pragma once

#include <string>

#include "agent/store_file.hpp"
#include "base/result.hpp"

namespace berth::agent {

inline constexpr int kStoreSchema = 1;

// Whether the file at `path` can be ours, without changing a byte of it: true if it can, or is not
// there. kUnimplemented: a newer schema; kInvalid: damaged, or no database; kAlreadyExists: a
// database of somebody else.
[[nodiscard]] Result<bool> check_schema(const std::string& path);

// Brings the file to kStoreSchema.
[[nodiscard]] Result<bool> migrate(StoreFile& file);

}  // namespace berth::agent
