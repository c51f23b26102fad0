// SPDX-License-Identifier: Apache-2.0

// Shows pods to those who list and watch them, and stops showing them.
//
// What is shown of a pod is kept in its record. When a pod is shown as finished, the collection of
// finished pods is requested if too many are kept. The parts outlive this object. Loop thread only.
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

  // Publishes the pod with its status. Nothing happens if there is no such pod, or only the runtime
  // knows it.
  void publish(const std::string& uid, const PodPtr& pod);
  // Publishes the pod as Pending, without a reason.
  void show_pending(const api::Pod& pod);
  // Removes the pod from every listing; it is ended all the same. A pod without a worker ends as
  // with the pod garbage collector: Failed first.
  void hide(PodRecord& record);
  // Publishes that nothing is left of the pod.
  void remove(const PodRecord& record);

 private:
  void look_for_finished();

  const PodSetOptions& options_;
  StatusSink* const sink_;  // null if there is none
  const PodRecords& records_;
  PodViews& views_;
  StartReadiness& readiness_;
  NextTurn& collection_;
  const PodOccupancy& occupancy_;
};

}  // namespace berth::lifecycle
