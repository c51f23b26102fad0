// SPDX-License-Identifier: Apache-2.0

// Orders that a cluster's API server would pass on: deletions of pods (by an operator, or by the
// scheduler for preemption), and conditions that the node does not own.
//
// The parts outlive this object. Loop thread only.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class EndOrders;
class PodOccupancy;
class PodRecords;
class ReconcileSchedule;
struct Disruption;
struct PodRecord;
struct PodSetParts;
struct PodSetServices;

class ApiOrders {
 public:
  ApiOrders(PodSetParts& parts, const PodOccupancy& occupancy, EndOrders& orders);

  // Ends the incarnation of that name, as the API server's delete does (deletion_period.hpp), and
  // returns the pod as it was. kNotFound if there is none. `grace`: unset for the pod's own period,
  // 0 to force the deletion.
  [[nodiscard]] Result<PodPtr> delete_pod(const std::string& namespace_, const std::string& name,
                                          std::optional<std::chrono::seconds> grace,
                                          const Disruption& disruption);
  // The same for the incarnation of that record.
  PodPtr delete_incarnation(PodRecord& record, std::optional<std::chrono::seconds> grace,
                            const Disruption& disruption);
  // Sets a condition that the node does not own. kInvalid if it may not be set.
  [[nodiscard]] Result<PodPtr> set_condition(const std::string& namespace_, const std::string& name,
                                             const api::PodCondition& condition);

 private:
  void disrupt(PodRecord& record, const Disruption& disruption);
  [[nodiscard]] Error not_found(const std::string& namespace_, const std::string& name) const;

  const PodSetServices& services_;
  const PodRecords& records_;
  ReconcileSchedule& reconcile_;
  const PodOccupancy& occupancy_;
  EndOrders& orders_;
};

}  // namespace berth::lifecycle
