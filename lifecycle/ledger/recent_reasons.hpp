// SPDX-License-Identifier: Apache-2.0

// The last reasons of a pod's records, one by one: what `describe` shows as decisions. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

// `records`: of one pod, oldest first. Of a decision, the reasons that the one before it of the
// same kind had as well are left out. At most `most`, the newest, oldest first.
[[nodiscard]] std::vector<DatedReason> recent_reasons(const std::vector<LedgerRecord>& records,
                                                      std::size_t most);

}  // namespace berth::lifecycle
