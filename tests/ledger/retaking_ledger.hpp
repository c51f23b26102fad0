// SPDX-License-Identifier: Apache-2.0

// A ledger that retakes every decision as it is written: in simulations each decision of each seed
// thus tests its record. Keeps the newest records, so that a failing seed can be explained
// (why.hpp). One thread.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "tests/ledger/text_hash.hpp"

namespace berth::ledger_test {

class RetakingLedger final : public lifecycle::Ledger {
 public:
  explicit RetakingLedger(std::size_t kept = 1000) : kept_(kept) {}

  // A folder that this run made for itself: the hash leaves its name out.
  void leave_out(std::string folder) { hash_.leave_out(std::move(folder)); }

  void write(lifecycle::LedgerRecord record) override {
    const auto taken = lifecycle::retake_decision(record);
    if (!taken) {
      problems_.push_back(taken.error().message);
    } else if (*taken) {
      ++decisions_;
    }
    for (const std::string_view text :
         {std::string_view(record.kind), std::string_view(record.pod), without_digest(record.input),
          std::string_view(record.output)})
      hash_.add(text);
    for (const lifecycle::Reason& reason : record.reasons)
      for (const std::string* text : {&reason.subject, &reason.rule, &reason.text})
        hash_.add(*text);
    records_.push_back(std::move(record));
    if (records_.size() > kept_) records_.pop_front();
  }

  // A sentence for each record that has a problem; empty if none has.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }
  [[nodiscard]] std::size_t decisions() const { return decisions_; }
  // Over everything ever written.
  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }
  [[nodiscard]] const std::deque<lifecycle::LedgerRecord>& records() const { return records_; }

 private:
  // The digest, the last member, covers the others, and so also what the hash leaves out.
  static std::string_view without_digest(std::string_view input) {
    return input.substr(0, input.rfind(",\"digest\":"));
  }

  std::size_t kept_;
  std::size_t decisions_ = 0;
  TextHash hash_{};
  std::vector<std::string> problems_{};
  std::deque<lifecycle::LedgerRecord> records_{};
};

}  // namespace berth::ledger_test
