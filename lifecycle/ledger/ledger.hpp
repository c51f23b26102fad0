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

#include "base/clock_types.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// What kind of record: a decision (with inputs, can be taken again) or a fact that happened.
inline constexpr std::string_view kLedgerFact = "fact";
inline constexpr std::string_view kLedgerPlan = "plan";            // plan.hpp
inline constexpr std::string_view kLedgerStops = "stops";          // termination_order.hpp
inline constexpr std::string_view kLedgerAdmission = "admission";  // node/admission.hpp
inline constexpr std::string_view kLedgerPhase = "phase";          // phase.hpp
inline constexpr std::string_view kLedgerGrace = "grace";          // grace_period.hpp
inline constexpr std::string_view kLedgerImage = "image";          // image_decision.hpp
inline constexpr std::string_view kLedgerPreStop = "preStop";      // pre_stop_step.hpp
inline constexpr std::string_view kLedgerDeletion = "deletion";    // deletion_period.hpp
inline constexpr std::string_view kLedgerCollection = "podGC";     // pod_gc.hpp
inline constexpr std::string_view kLedgerLoss = "loss";            // lost_containers.hpp

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

class Ledger {
 public:
  Ledger() = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  virtual ~Ledger() = default;

  virtual void write(LedgerRecord record) = 0;
};

}  // namespace berth::lifecycle
