// SPDX-License-Identifier: Apache-2.0

// The ledger: every decision with its reasons and the inputs it was taken from.
//
// Because deciding is pure, a recorded decision can be taken again from its record alone
// (retake_decision.hpp); `berthctl why` tells the records of a pod as sentences. An interface: the
// agent's store keeps the records, bounded by number and age; the simulation puts them into its
// trace. Writing never waits and never fails visibly: a record lost to a full disk changes nothing.
// Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// The kind of a record of something that happened. Every other kind is a decision (kinds.hpp), with
// inputs from which it can be taken again.
inline constexpr std::string_view kLedgerFact = "fact";

struct LedgerRecord {
  WallTime at{};
  std::string uid{};
  std::string namespace_{};
  std::string pod{};
  std::string kind{};
  Reasons reasons{};  // of a fact: one, whose rule is the action and whose subject the container
  std::optional<WallTime> next{};  // when it is looked at again, if nothing happens before
  std::string input{};             // JSON; empty: a fact
  std::string output{};            // JSON of what was decided; empty: a fact
};

// By which a line of the journal names a record (BERTH_DECISION): KIND-NANOSECONDS-UID. One pod's
// records of one kind and one nanosecond share it.
[[nodiscard]] std::string record_id(const LedgerRecord& record);

// What an id tells of where its record is.
struct RecordPlace {
  WallTime at{};
  std::string uid{};
  bool operator==(const RecordPlace&) const = default;
};
// None: it is no record's id.
[[nodiscard]] std::optional<RecordPlace> record_place(std::string_view id);

// What was recorded last, for whoever asks what a pod is about.
struct DatedReason {
  WallTime at{};
  Reason reason{};
};

// What every record begins with.
[[nodiscard]] LedgerRecord record_about(const api::Pod& pod, WallTime at, std::string_view kind);

class Ledger {
 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  virtual ~Ledger() = default;

  virtual void write(LedgerRecord record) = 0;
};

}  // namespace berth::lifecycle
