// SPDX-License-Identifier: Apache-2.0

// Handles the end of a pod of which nothing is left: removes its record, creates its successor, and
// has the store keep or forget its verdict. The parts outlive this object. Loop thread only.
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
class PodSuccessors;
struct PodRecord;
struct PodSetParts;
struct PodSetServices;

class PodDeparture {
 public:
  PodDeparture(PodSetParts& parts, PodPublisher& publisher, PodSuccessors& successors);

  // Call when nothing is left of the pod. Unknown uids are ignored.
  void removed(const std::string& uid);
  // The same for a pod without a worker: first removes what an earlier berthd may have prepared.
  [[nodiscard]] boost::asio::awaitable<void> remove_without_worker(std::string uid);

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
  PodSuccessors& successors_;
};

}  // namespace berth::lifecycle
