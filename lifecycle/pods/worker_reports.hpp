// SPDX-License-Identifier: Apache-2.0

// Handles what workers report to the pod set. Created before the workers, so it reaches them
// through their records. The parts outlive this object. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "lifecycle/worker/worker_owner.hpp"

namespace berth {

class Broadcast;

}  // namespace berth

namespace berth::lifecycle {

class PodAdmission;
class PodPublisher;
class PodRecords;
class PodVerdicts;
class ReconcileSchedule;
class UnclaimedStops;
struct PodSetParts;

class WorkerReports final : public WorkerOwner {
 public:
  WorkerReports(PodSetParts& parts, PodPublisher& publisher);

  void publish(const std::string& uid, const PodPtr& pod) override;
  void claim(const std::string& uid, const std::string& id) override;
  void left_node(const std::string& uid) override;
  void released(const std::string& uid) override;
  [[nodiscard]] std::vector<std::string> ended_before(const api::Pod& pod) const override;
  void stored(const std::string& uid, const std::vector<std::string>& ended_before) override;

 private:
  const PodAdmission& admission_;
  const PodRecords& records_;
  PodVerdicts& verdicts_;
  UnclaimedStops& unclaimed_stops_;
  ReconcileSchedule& reconcile_;
  Broadcast& settled_bell_;
  PodPublisher& publisher_;
};

}  // namespace berth::lifecycle
