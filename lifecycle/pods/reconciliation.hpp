// SPDX-License-Identifier: Apache-2.0

// One pass over the desired and the existing pods: ends those that are no longer desired or were
// edited, adds new ones, begins those whose names are free.
//
// The first pass also adopts pods that are not desired, and removes what earlier berthds left on
// the machine. The parts outlive this object. Loop thread only.
#pragma once

#include <string>

#include "lifecycle/pods/desired_pods.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class AdmissionDriver;
class EndOrders;
class PodAdoption;
class PodBeginning;
class PodCleanup;
class PodRecords;
class PodVerdicts;
class ReconcileSchedule;
class StartReadiness;
struct PodSetParts;
struct PodSetServices;

class Reconciliation {
 public:
  Reconciliation(PodSetParts& parts, EndOrders& orders, AdmissionDriver& admission,
                 PodAdoption& adoption, PodBeginning& beginning);

  // Runs one pass. Call it through ReconcileSchedule only, so that no pass begins within another.
  // Does nothing before the runtime and the sources have both reported; requests another pass if it
  // stopped at the limit of one turn of the loop.
  void reconcile_once();

 private:
  void end_undesired(int& changes);
  void replace_edited(int& changes);
  void add_desired();
  void expect_first_statuses();
  [[nodiscard]] bool belongs_to_started_pod(const std::string& uid) const;

  const PodSetServices& services_;
  TaskGroup& tasks_;
  const DesiredPods& desired_;
  PodRecords& records_;
  PodVerdicts& verdicts_;
  PodCleanup& cleanup_;
  StartReadiness& readiness_;
  ReconcileSchedule& reconcile_;
  EndOrders& orders_;
  AdmissionDriver& admission_;
  PodAdoption& adoption_;
  PodBeginning& beginning_;
};

}  // namespace berth::lifecycle
