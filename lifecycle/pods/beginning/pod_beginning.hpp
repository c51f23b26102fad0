// SPDX-License-Identifier: Apache-2.0

// Begins pods whose names are free: each is held, rejected, asked for admission, or launched,
// depending on what the runtime and the store have of it.
//
// The parts outlive this object. Loop thread only.
#pragma once

#include "lifecycle/pod_memory.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class AdmissionDriver;
class EndOrders;
class PodAdoption;
class PodCleanup;
class PodHolds;
class PodLauncher;
class PodPublisher;
class PodRecords;
class PodVerdicts;
class UnclaimedPods;
struct PodRecord;
struct PodSetOptions;
struct PodSetParts;
struct PodSetServices;

class PodBeginning {
 public:
  PodBeginning(PodSetParts& parts, PodPublisher& publisher, PodLauncher& launcher, PodHolds& holds,
               EndOrders& orders, AdmissionDriver& admission, PodAdoption& adoption);

  // Begins waiting pods, at most `changes` of them, which is reduced by their number.
  void begin_waiting(int& changes);

 private:
  void begin(PodRecord& record);
  void replace_found(PodRecord& record, ListedPod listed, PodMemoryPtr memory);
  void report_takeover(const api::Pod& pod);
  [[nodiscard]] bool was_let_in(const PodRecord& record) const;

  const PodSetServices& services_;
  const PodSetOptions& options_;
  const PodRecords& records_;
  PodVerdicts& verdicts_;
  const PodCleanup& cleanup_;
  UnclaimedPods& unclaimed_;
  PodPublisher& publisher_;
  PodLauncher& launcher_;
  PodHolds& holds_;
  EndOrders& orders_;
  AdmissionDriver& admission_;
  PodAdoption& adoption_;
};

}  // namespace berth::lifecycle
