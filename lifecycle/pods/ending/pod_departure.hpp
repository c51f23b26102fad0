// SPDX-License-Identifier: Apache-2.0

// What follows once nothing is left of a pod: its record goes, its successor is created, and the
// store keeps or forgets its verdict. The parts outlive this object. Loop thread only.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "lifecycle/pods/desired_pods.hpp"

namespace berth {

class Broadcast;

}  // namespace berth

namespace berth::lifecycle {

class PodCleanup;
class PodPublisher;
class PodRecords;
class PodVerdicts;
class ReconcileSchedule;
class StartReadiness;
class Successors;
struct PodRecord;
struct PodSetParts;
struct PodSetServices;

class PodDeparture {
 public:
  PodDeparture(PodSetParts& parts, PodPublisher& publisher, Successors& successors);

  // Nothing is left of the pod. Unknown uids are ignored.
  void finished(const std::string& uid);
  // The same for a pod without a worker: removes first what an earlier berthd may have prepared.
  [[nodiscard]] boost::asio::awaitable<void> finish_without_worker(std::string uid);

 private:
  void keep_collected(const PodRecord& record);

  const PodSetServices& services_;
  const DesiredPods& desired_;
  PodRecords& records_;
  PodVerdicts& verdicts_;
  PodCleanup& cleanup_;
  StartReadiness& readiness_;
  ReconcileSchedule& reconcile_;
  Broadcast& settled_bell_;
  PodPublisher& publisher_;
  Successors& successors_;
};

}  // namespace berth::lifecycle
