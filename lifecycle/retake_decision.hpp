// Taking a recorded decision again, from its record alone.
//
// Because deciding is pure, the same decision must come out: the same output, reasons and next
// look. An error says which input is missing, or where the decision taken again differs from the
// one recorded. Pure; any thread.
#pragma once

#include "base/result.hpp"
#include "lifecycle/ledger.hpp"

namespace berth::lifecycle {

// True: taken again, with the same result. False: the record is of a fact; nothing was decided.
[[nodiscard]] Result<bool> retake_decision(const LedgerRecord& record);

}  // namespace berth::lifecycle
