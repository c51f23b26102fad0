// SPDX-License-Identifier: Apache-2.0

// Handles what the runtime reports: passes it to the workers, and adopts pods that no worker has.
// The parts outlive this object. Loop thread only.
#pragma once

#include <map>
#include <string>

#include "lifecycle/pods/runtime/runtime_watch.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class PodAdoption;
class PodRecords;
class PodWorkers;
class ReconcileSchedule;
class StartReadiness;
class UnclaimedPods;
struct PodSetOptions;
struct PodSetParts;
struct PodSetServices;

class RuntimeReports final : public RuntimeListener {
 public:
  RuntimeReports(PodSetParts& parts, PodWorkers& workers, PodAdoption& adoption);

  void runtime_identified(const RuntimeIdentity& runtime) override;
  void runtime_back() override;
  void runtime_listed(const RuntimeListing& listing) override;
  [[nodiscard]] bool compares_listings() const override;
  [[nodiscard]] std::map<std::string, BelievedPod> believed() const override;
  bool stopped(const std::string& id, const StopNews& news) override;
  void pod_differs(const std::string& uid, const std::string& what) override;
  void pod_unknown(const std::string& uid, ListedPod listed) override;

 private:
  const PodSetServices& services_;
  const PodSetOptions& options_;
  const TaskGroup& tasks_;
  const PodRecords& records_;
  UnclaimedPods& unclaimed_;
  StartReadiness& readiness_;
  ReconcileSchedule& reconcile_;
  PodWorkers& workers_;
  PodAdoption& adoption_;
};

}  // namespace berth::lifecycle
