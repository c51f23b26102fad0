// SPDX-License-Identifier: Apache-2.0

// One pass over the desired and the existing pods: ends those that are no longer desired or were
// edited, adds new ones, begins those whose names are free.
//
// The first pass also adopts what nobody desires, and removes what earlier berthds left on the
// machine. The parts outlive this object. Loop thread only.
#pragma once

#include <string>

#include "lifecycle/pods/desired_pods.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class AdmissionRounds;
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
  Reconciliation(PodSetParts& parts, EndOrders& orders, AdmissionRounds& admission,
                 PodAdoption& adoption, PodBeginning& beginning);

  // Nothing happens before the runtime and the sources have both reported. A pass that has changed
  // as much as one turn of the loop allows requests the next one.
  void reconcile_once();

 private:
  void end_unwished(int& changes);
  void replace_edited(int& changes);
  void add_wished();
  void look_at_found();
  [[nodiscard]] bool is_started_by_somebody(const std::string& uid) const;

  const PodSetServices& services_;
  TaskGroup& tasks_;
  const DesiredPods& desired_;
  PodRecords& records_;
  PodVerdicts& verdicts_;
  PodCleanup& cleanup_;
  StartReadiness& readiness_;
  ReconcileSchedule& reconcile_;
  EndOrders& orders_;
  AdmissionRounds& admission_;
  PodAdoption& adoption_;
  PodBeginning& beginning_;
};

}  // namespace berth::lifecycle
