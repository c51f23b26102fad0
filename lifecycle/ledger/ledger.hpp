// SPDX-License-Identifier: Apache-2.0

// The ledger: every decision with its reasons and its inputs.
//
// Because deciding is pure, a recorded decision can be taken again from its record alone
// (retake_decision.hpp); `berthctl why` renders the records of a pod as sentences. An interface:
// the agent's store keeps the records, bounded by number and age; the simulation puts them into its
// trace. Writing never waits and never fails visibly: losing a record to a full disk changes
// nothing. Loop thread only.
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

// The kind of a record of something that happened. Every other kind is a decision (kinds.hpp),
// whose record has the inputs to take it again.
inline constexpr std::string_view kLedgerFact = "fact";

struct LedgerRecord {
  WallTime at{};
  std::string uid{};  // the pod's; node_uid() if the record is about the node, which is no pod
  std::string namespace_{};
  std::string pod{};
  std::string kind{};
  Reasons reasons{};  // a fact has one: its rule is the action, its subject the container
  std::optional<WallTime> next{};  // when it is decided again, if nothing happens before
  std::string input{};             // JSON; empty for a fact
  std::string output{};            // JSON of the decision; empty for a fact
};

// The id by which a journal line refers to a record (BERTH_DECISION): KIND-NANOSECONDS-UID. A pod's
// records of the same kind and nanosecond share it.
[[nodiscard]] std::string record_id(const LedgerRecord& record);

// The part of an id that locates its record.
struct RecordPlace {
  WallTime at{};
  std::string uid{};
  bool operator==(const RecordPlace&) const = default;
};
// Unset if `id` is not the id of a record.
[[nodiscard]] std::optional<RecordPlace> record_place(std::string_view id);

// The last recorded reason, for whoever asks what a pod is doing.
struct DatedReason {
  WallTime at{};
  Reason reason{};
};

// A record with the members that every record has.
[[nodiscard]] LedgerRecord record_about(const api::Pod& pod, WallTime at, std::string_view kind);

// What records about the node have for a uid: "node/NAME", which no pod's uid can be.
[[nodiscard]] std::string node_uid(std::string_view node);
[[nodiscard]] LedgerRecord record_about_node(std::string_view node, WallTime at,
                                             std::string_view kind);

class Ledger {
 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  virtual ~Ledger() = default;

  virtual void write(LedgerRecord record) = 0;
};

}  // namespace berth::lifecycle
