// SPDX-License-Identifier: Apache-2.0

// The most recent reasons of a pod's records, one by one: what `describe` shows as decisions. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// `records`: those of one pod, oldest first. Reasons that a decision shares with the previous
// decision of the same kind are left out. Returns the newest `most` at most, oldest first.
[[nodiscard]] std::vector<DatedReason> recent_reasons(const std::vector<LedgerRecord>& records,
                                                      std::size_t most);

}  // namespace berth::lifecycle
