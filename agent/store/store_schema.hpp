// SPDX-License-Identifier: Apache-2.0

// The state file's schema, and the migration of older ones.
//
// The schema's number is the file's `user_version`. A newer berthd's file is refused and left as it
// is; an older one is migrated in one transaction.
//
// Schema 1:
//   pods    one row per incarnation: what must outlive berthd (memory_json.hpp)
//   events  one row per event of the Kubernetes API, by namespace and name
//   ledger  one row per decision or fact, numbered in order; `spec` and `spec_at`: see
//   store_tables.hpp
//   specs   pods contained in the inputs of ledger records, once each
// The tables of the pressure history (eviction/pressure_rows.hpp) come and go without a number.
// Times are nanoseconds since 1970.
#pragma once

#include <string>

#include "agent/store/store_file.hpp"
#include "base/result.hpp"

namespace berth::agent {

inline constexpr int kStoreSchema = 1;

// Whether the file at `path` can be ours, without changing a byte of it: true if it can, or does
// not exist. kUnimplemented: a newer schema; kInvalid: damaged, or no database; kAlreadyExists:
// another program's database.
[[nodiscard]] Result<bool> check_schema(const std::string& path);

// Migrates the file to kStoreSchema.
[[nodiscard]] Result<bool> migrate(StoreFile& file);

}  // namespace berth::agent
