// SPDX-License-Identifier: Apache-2.0

// The checks beside `Invariants` that see everything, as one.
#pragma once

#include "base/clock.hpp"
#include "tests/simulation/admission/admission_invariants.hpp"
#include "tests/simulation/endings/invariants_deletion.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants_cadence.hpp"
#include "tests/simulation/invariants/invariants_duties.hpp"
#include "tests/simulation/invariants/invariants_images.hpp"
#include "tests/simulation/invariants/invariants_times.hpp"
#include "tests/simulation/pressure/pressure_invariants.hpp"
#include "tests/simulation/shutdown/shutdown_invariants.hpp"

namespace berth::simulation {

class AllChecks {
 public:
  AllChecks(const Clock& clock, Invariants& invariants)
      : times_(clock, invariants),
        images_(clock, invariants),
        duties_(clock, invariants),
        cadence_(clock, invariants),
        deletion_(clock, invariants),
        admission_(clock, invariants),
        pressure_(clock, invariants),
        shutdown_(clock, invariants) {
    everything_.add_witness(invariants);
    everything_.add(times_);
    everything_.add(images_);
    everything_.add(duties_);
    everything_.add(cadence_);
    everything_.add(deletion_);
    everything_.add(admission_);
    everything_.add(pressure_);
    everything_.add(shutdown_);
  }
  AllChecks(const AllChecks&) = delete;
  AllChecks& operator=(const AllChecks&) = delete;

  void look_at(const SimulatedRuntime& runtime, const SimulatedStore& store) {
    times_.look_at(runtime, store);
    images_.look_at(runtime, store);
    duties_.look_at(runtime);
    cadence_.look_at(runtime);
    admission_.look_at(runtime);
    pressure_.look_at(runtime, store);
    shutdown_.look_at(runtime);
  }

  // A Witness for all checks, `Invariants` included.
  [[nodiscard]] Checks& everything() { return everything_; }
  [[nodiscard]] DutyInvariants& duties() { return duties_; }
  [[nodiscard]] AdmissionInvariants& admission() { return admission_; }
  [[nodiscard]] PressureInvariants& pressure() { return pressure_; }
  [[nodiscard]] ShutdownInvariants& shutdown() { return shutdown_; }
  [[nodiscard]] CadenceInvariants& cadence() { return cadence_; }

 private:
  TimeInvariants times_;
  ImageInvariants images_;
  DutyInvariants duties_;
  CadenceInvariants cadence_;
  DeletionInvariants deletion_;
  AdmissionInvariants admission_;
  PressureInvariants pressure_;
  ShutdownInvariants shutdown_;
  Checks everything_{};
};

}  // namespace berth::simulation
