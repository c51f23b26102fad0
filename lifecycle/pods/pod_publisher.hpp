// SPDX-License-Identifier: Apache-2.0

// Publishes pods with their statuses to the status sink, the listings and the watches, and
// withdraws them.
//
// What is shown of a pod is kept in its record. When a pod is published as finished, the collection
// of finished pods is requested if too many are kept. The parts outlive this object. Loop thread
// only.
#pragma once

#include <string>

#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class NextTurn;
class PodOccupancy;
class PodRecords;
class PodViews;
class StartReadiness;
struct PodRecord;
struct PodSetOptions;
struct PodSetParts;

class PodPublisher {
 public:
  PodPublisher(PodSetParts& parts, const PodOccupancy& occupancy);

  // Publishes the pod with its status. A hidden pod's status is recorded, but not published;
  // nothing happens if there is no such pod, or only the runtime knows it.
  void publish(const std::string& uid, const PodPtr& pod);
  // Publishes the pod as Pending, without a reason.
  void show_pending(const api::Pod& pod);
  // Withdraws the pod from listings and watches; it still ends. A pod of which nothing runs is
  // published as Failed first, as by Kubernetes' pod garbage collector.
  void hide(PodRecord& record);
  // Publishes that nothing is left of the pod.
  void publish_removed(const PodRecord& record);

 private:
  void look_for_finished();

  const PodSetOptions& options_;
  StatusSink* const sink_;  // null in berthd
  const PodRecords& records_;
  PodViews& views_;
  StartReadiness& readiness_;
  NextTurn& collection_;
  const PodOccupancy& occupancy_;
};

}  // namespace berth::lifecycle
