// SPDX-License-Identifier: Apache-2.0

// A ledger that keeps every record, for tests that inspect them. One thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/ledger/ledger.hpp"

namespace berth::ledger_test {

class KeptLedger final : public lifecycle::Ledger {
 public:
  void write(lifecycle::LedgerRecord record) override { records.push_back(std::move(record)); }

  // The texts of the reasons with this rule, in order; for a fact, its action is the rule.
  [[nodiscard]] std::vector<std::string> texts(std::string_view rule) const {
    std::vector<std::string> out;
    for (const auto& record : records)
      for (const auto& reason : record.reasons)
        if (reason.rule == rule) out.push_back(reason.text);
    return out;
  }

  std::vector<lifecycle::LedgerRecord> records{};
};

}  // namespace berth::ledger_test
