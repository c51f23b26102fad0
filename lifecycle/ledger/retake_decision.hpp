// SPDX-License-Identifier: Apache-2.0

// Takes a recorded decision again, from its record alone.
//
// Because deciding is pure, the same decision must result: the same output, reasons and next look.
// And because a record leaves nothing out, what is read from it must yield the same record again,
// at every level: an input that was lost and reads as something else is noticed even if the digest
// matches. An error names the missing input, or where the retaken decision differs from the
// recorded one. Pure; any thread.
#pragma once

#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// True if the decision was taken again, with the same result. False if the record is of a fact:
// nothing was decided.
[[nodiscard]] Result<bool> retake_decision(const LedgerRecord& record);

// Takes the decision again from this record's inputs and returns the record that it yields;
// kInvalid for a fact.
[[nodiscard]] Result<LedgerRecord> decide_again(const LedgerRecord& record);

}  // namespace berth::lifecycle
