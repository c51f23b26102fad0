// SPDX-License-Identifier: Apache-2.0

// A ledger record as one line of JSON, as `berthctl why --records` prints it and retaking decisions
// reads it. Input and output are embedded as JSON objects. Text that is no object (a damaged row,
// another version), or that Boost.JSON would write differently, is embedded as a string. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// Without a line feed.
[[nodiscard]] std::string ledger_record_json(const LedgerRecord& record);

// The error is kInvalid and names what is missing or does not fit.
[[nodiscard]] Result<LedgerRecord> parse_ledger_record(std::string_view line);

}  // namespace berth::lifecycle
