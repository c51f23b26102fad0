// SPDX-License-Identifier: Apache-2.0

// Passes orders to end a pod (ending.hpp) to whoever ends it: the single entry point for all of
// them. The parts outlive this object. Loop thread only.
#pragma once

#include <string>

#include "lifecycle/ending.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class PodDeparture;
class PodLauncher;
class PodOccupancy;
class PodPublisher;
class PodRecords;
class PodVerdicts;
class PodSuccessors;
class UnclaimedPods;
struct PodRecord;
struct PodSetParts;
struct PodSetServices;

class EndOrders {
 public:
  EndOrders(PodSetParts& parts, const PodOccupancy& occupancy, PodPublisher& publisher,
            PodSuccessors& successors, PodDeparture& departure, PodLauncher& launcher);

  // If the pod already ends, the order is merged. False if there is no such pod, or nothing that
  // the order could end. Neither adds nor removes a record; a deletion by force replaces the pod in
  // the desired set at once.
  bool order(const std::string& uid, const Ending& ending);

  // Whether the pod was collected, or is being collected.
  [[nodiscard]] bool is_collected(const std::string& uid) const;
  // Whether an order, or the removal of its manifest, removes the pod; false for a collected pod.
  [[nodiscard]] bool is_to_be_removed(const std::string& uid) const;

 private:
  bool end_without_worker(PodRecord& record, const Ending& ending);

  const PodSetServices& services_;
  TaskGroup& tasks_;
  const PodRecords& records_;
  const PodVerdicts& verdicts_;
  UnclaimedPods& unclaimed_;
  const PodOccupancy& occupancy_;
  PodPublisher& publisher_;
  PodSuccessors& successors_;
  PodDeparture& departure_;
  PodLauncher& launcher_;
};

}  // namespace berth::lifecycle
