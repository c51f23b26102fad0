// SPDX-License-Identifier: Apache-2.0

// The pressure history in the state file: bounded, and merged as it ages.
//
// A row is a minute of samples, merged; each of the newest 30 minutes is kept, and five older ones
// become one row, of which 284 are kept: a little more than a day, the span that people look back
// over ("what would have happened last night"). That is 314 rows. Estimated, not measured: a pod
// takes some 150 bytes of a row while only its memory is measured, so 110 pods (the kubelet's
// limit) take about 5 MB of the 64 MiB that the file may have. Pods themselves are kept once each,
// until no row mentions them.
//
// Two tables, which the first writer creates and which the schema's number does not cover, so that
// an older berthd still opens the file and leaves them alone:
//   pressure       one row per minute or five, `seq` in order of writing; `age` 0 or 1
//   pressure_pods  pods that rows name by uid; `last`: the newest row that mentions it, or one of
//   the 30 before
// Writing is called within the caller's transaction. Runs on the thread that owns the file.
#pragma once

#include <cstddef>
#include <vector>

#include "agent/store/store_file.hpp"
#include "base/result.hpp"
#include "eviction/history.hpp"

namespace berth::agent {

struct PressureRows {
  std::vector<eviction::Sample> samples{};  // oldest first, `at` unset
  std::size_t left_out = 0;                 // rows that cannot be read, such as another version's
};

// Writes a minute, and merges and drops the old rows that this makes too many.
[[nodiscard]] Result<bool> put_pressure(StoreFile& file, const eviction::Sample& minute);

// A file without the tables has none.
[[nodiscard]] Result<PressureRows> read_pressure(StoreFile& file);

}  // namespace berth::agent
