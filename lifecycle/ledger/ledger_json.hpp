// SPDX-License-Identifier: Apache-2.0

// A ledger record as one line of JSON: what `berthctl why --records` prints and what takes
// decisions again reads. Input and output stand in it as JSON, not as text. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// Without a line feed.
[[nodiscard]] std::string ledger_record_json(const LedgerRecord& record);

// kInvalid, with what is missing or does not fit.
[[nodiscard]] Result<LedgerRecord> parse_ledger_record(std::string_view line);

}  // namespace berth::lifecycle
