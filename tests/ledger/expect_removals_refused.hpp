// SPDX-License-Identifier: Apache-2.0

// The expectation that a record is complete: without any one of its inputs it is refused, and with
// the digest mended it is at most the record of another question.
#pragma once

#include <gtest/gtest.h>

#include "lifecycle/ledger/retake_decision.hpp"
#include "tests/ledger/input_removal.hpp"

namespace berth::ledger_test {

inline void expect_removals_refused(const lifecycle::LedgerRecord& record) {
  for_each_removal(record, Digest::kAsRecorded,
                   [&record](const std::string& path, const lifecycle::LedgerRecord& damaged) {
                     EXPECT_FALSE(lifecycle::retake_decision(damaged))
                         << record.kind << " without " << path;
                   });
  for_each_removal(record, Digest::kMended,
                   [&record](const std::string& path, const lifecycle::LedgerRecord& damaged) {
                     const auto wrong = wrongly_taken(damaged);
                     EXPECT_FALSE(wrong) << record.kind << " without " << path << " " << *wrong;
                   });
}

}  // namespace berth::ledger_test
