// SPDX-License-Identifier: Apache-2.0

// Adopts what the runtime or the store has of pods without a worker.
//
// The parts outlive this object. Loop thread only.
#pragma once

#include <string>

#include "lifecycle/pods/desired_pods.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class EndOrders;
class PodLauncher;
class PodRecords;
class PodVerdicts;
class ReconcileSchedule;
class UnclaimedPods;
struct PodRecord;
struct PodSetParts;
struct PodSetServices;

class PodAdoption {
 public:
  PodAdoption(PodSetParts& parts, PodLauncher& launcher, EndOrders& orders);

  // At start: adopts the pods that the runtime or the store has and that are not desired.
  void adopt_undesired();
  // Adopts a pod that has no record, and ends it.
  void adopt_unknown(const std::string& uid, ListedPod listed);
  // Handles what the runtime has of a pod without a worker, created for an earlier pod with that
  // uid by a call that outlived an earlier berthd or its patience. A rejected or collected pod gets
  // a worker that removes it. For a waiting or held pod it is kept until the pod begins or ends; a
  // wanted pod waits from then on, because it already has room. Before the verdict on a rejected
  // pod is stored, nothing happens: the next relist reports it again.
  void adopt_remains(PodRecord& record, ListedPod listed);

 private:
  const PodSetServices& services_;
  const DesiredPods& desired_;
  PodRecords& records_;
  const PodVerdicts& verdicts_;
  UnclaimedPods& unclaimed_;
  ReconcileSchedule& reconcile_;
  PodLauncher& launcher_;
  EndOrders& orders_;
};

}  // namespace berth::lifecycle
