// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/recent_reasons.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace berth::lifecycle {

std::vector<DatedReason> recent_reasons(const std::vector<LedgerRecord>& records,
                                        std::size_t most) {
  std::vector<DatedReason> out;
  std::map<std::string_view, const Reasons*> before;  // by kind
  for (const LedgerRecord& record : records) {
    const Reasons*& last = before[record.kind];
    const bool decided = record.kind != kLedgerFact;
    for (const Reason& reason : record.reasons) {
      const bool again =
          decided && last != nullptr && std::ranges::find(*last, reason) != last->end();
      if (!again) out.push_back({.at = record.at, .reason = reason});
    }
    last = &record.reasons;
  }
  if (out.size() > most) out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(most));
  return out;
}

}  // namespace berth::lifecycle
