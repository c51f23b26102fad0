// SPDX-License-Identifier: Apache-2.0

// All checks of a run, as one: each sees everything that happens, and the first violation, which
// `Invariants` keeps, ends the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/ledger/retaking_ledger.hpp"
#include "tests/simulation/admission/admission_invariants.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants_cadence.hpp"
#include "tests/simulation/invariants/invariants_conditions.hpp"
#include "tests/simulation/invariants/invariants_duties.hpp"
#include "tests/simulation/invariants/invariants_probes.hpp"
#include "tests/simulation/invariants/invariants_turns.hpp"
#include "tests/simulation/invariants/onlookers.hpp"
#include "tests/simulation/pressure/pressure_invariants.hpp"
#include "tests/simulation/shutdown/shutdown_invariants.hpp"

namespace berth {
class Clock;
}

namespace berth::simulation {

class AllChecks {
 public:
  explicit AllChecks(Clock& clock);
  AllChecks(const AllChecks&) = delete;
  AllChecks& operator=(const AllChecks&) = delete;

  // The world that they check, until the run has ended.
  void look_at(const SimulatedRuntime& runtime, const SimulatedHost& host,
               const SimulatedStore& store);
  // How many finished pods are kept (0: all of them), how many pods may be active at once, and
  // whether the node has a taint.
  void set_node(std::int64_t kept, std::int32_t most_pods, bool tainted);
  void agent_restarted();
  // Called while no berthd runs.
  void state_lost();
  // Called between two instants with what berthd counts: it must have missed no event, unless one
  // was lost.
  void check_missed_events(std::uint64_t missed);
  // What is not as it should be when all has settled; unset if all is.
  [[nodiscard]] std::optional<std::string> unsettled(const std::string& settings,
                                                     const std::vector<PodPtr>& shown) const;

  // A Witness for all checks, `Invariants` included.
  [[nodiscard]] Checks& everything() { return everything_; }
  [[nodiscard]] Disturbances& disturbances() { return disturbances_; }
  [[nodiscard]] Invariants& invariants() { return invariants_; }
  [[nodiscard]] const Invariants& invariants() const { return invariants_; }
  [[nodiscard]] TurnInvariants& turns() { return turns_; }
  [[nodiscard]] ProbeInvariants& probes() { return probes_; }
  [[nodiscard]] ConditionInvariants& conditions() { return conditions_; }
  [[nodiscard]] AdmissionInvariants& admission() { return admission_; }
  [[nodiscard]] PressureInvariants& pressure() { return pressure_; }
  [[nodiscard]] ShutdownInvariants& shutdown() { return shutdown_; }
  // Takes each decision again from its record.
  [[nodiscard]] ledger_test::RetakingLedger& ledger() { return ledger_; }

 private:
  Clock& clock_;
  World world_{};
  Disturbances disturbances_;
  Invariants invariants_;
  ProbeInvariants probes_;
  ConditionInvariants conditions_;
  Onlookers onlookers_;
  TurnInvariants turns_;
  DutyInvariants duties_;
  CadenceInvariants cadence_;
  AdmissionInvariants admission_;
  PressureInvariants pressure_;
  ShutdownInvariants shutdown_;
  Checks everything_{};
  ledger_test::RetakingLedger ledger_{};
};

}  // namespace berth::simulation
