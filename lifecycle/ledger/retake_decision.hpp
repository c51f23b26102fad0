// SPDX-License-Identifier: Apache-2.0

// Taking a recorded decision again, from its record alone.
//
// Because deciding is pure, the same decision must come out: the same output, reasons and next
// look. And because a record leaves nothing out, what is read from it must make the same record
// again, at every level: an input that was lost and reads as something else is noticed whatever the
// digest says. An error says which input is missing, or where the decision taken again differs from
// the one recorded. Pure; any thread.
#pragma once

#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// True: taken again, with the same result. False: the record is of a fact; nothing was decided.
[[nodiscard]] Result<bool> retake_decision(const LedgerRecord& record);

// The record that the decision leaves if it is taken from this record's inputs; of a fact:
// kInvalid.
[[nodiscard]] Result<LedgerRecord> decide_again(const LedgerRecord& record);

}  // namespace berth::lifecycle
