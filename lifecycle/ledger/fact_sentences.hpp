// SPDX-License-Identifier: Apache-2.0

// What happened, as sentences. Pure.
#pragma once

#include <vector>

#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/ledger/story.hpp"

namespace berth::lifecycle {

[[nodiscard]] std::vector<Sentence> fact_sentences(const LedgerRecord& record,
                                                   const StorySoFar& so_far);

}  // namespace berth::lifecycle
