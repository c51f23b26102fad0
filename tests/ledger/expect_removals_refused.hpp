// The expectation that a record is complete: without any one of its inputs it is refused.
#pragma once

#include <gtest/gtest.h>

#include "lifecycle/retake_decision.hpp"
#include "tests/ledger/input_removal.hpp"

namespace berth::ledger_test {

inline void expect_removals_refused(const lifecycle::LedgerRecord& record) {
  for_each_removal(record, Digest::kAsRecorded,
                   [&record](const std::string& path, const lifecycle::LedgerRecord& damaged) {
                     EXPECT_FALSE(lifecycle::retake_decision(damaged))
                         << record.kind << " without " << path;
                   });
}

}  // namespace berth::ledger_test
