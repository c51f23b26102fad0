// SPDX-License-Identifier: Apache-2.0

// Common checks for the records of each kind of decision.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/ledger/retake_decision.hpp"
#include "lifecycle/ledger/why.hpp"
#include "tests/ledger/expect_removals_refused.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {

using Lines = std::vector<std::string>;

// Expects the decision to be retaken from the record, and from nothing less.
inline void expect_decided_again(const LedgerRecord& record) {
  const auto retaken = retake_decision(record);
  ASSERT_TRUE(retaken.has_value()) << retaken.error().message;
  EXPECT_TRUE(*retaken);
  ledger_test::expect_removals_refused(record);
}

// The sentences of `berthctl why`, a minute into the test.
inline Lines sentences(const api::Pod& pod, const std::vector<LedgerRecord>& records) {
  Lines lines;
  for (const WhyLine& line : why({.records = records, .pod = &pod, .now = at(60)}).happened)
    lines.push_back(line.text);
  return lines;
}

}  // namespace berth::lifecycle::test
