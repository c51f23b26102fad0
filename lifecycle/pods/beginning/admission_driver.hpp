// SPDX-License-Identifier: Apache-2.0

// Asks `admission/` about new pods and carries out its answers: launches, refuses, or shows why a
// pod waits, and ends those that have to make room for it.
//
// The parts outlive this object. Loop thread only.
#pragma once

#include <optional>

#include "api/pod.hpp"
#include "lifecycle/admission/refusal.hpp"

namespace berth::lifecycle {

class EndOrders;
class ApiOrders;
class PodLauncher;
class PodOccupancy;
class PodPublisher;
class PodRecords;
class PodRejection;
class PodVerdicts;
class ReconcileSchedule;
struct AdmissionAnswer;
struct PodRecord;
struct PodSetOptions;
struct PodSetParts;
struct PodSetServices;

class AdmissionDriver {
 public:
  AdmissionDriver(PodSetParts& parts, const PodOccupancy& occupancy, PodPublisher& publisher,
                  PodLauncher& launcher, PodRejection& rejection, EndOrders& orders,
                  ApiOrders& api_orders);

  // Asks for admission of a new pod, until it is answered for good; while admission is closed,
  // rejects it instead. A pod whose predecessor of the same name was preempted waits while there is
  // no room for both. May carry out answers about other pods as well.
  void want(PodRecord& record);
  // Carries out every answer that there is now.
  void ask();
  // From now on new pods are refused for this reason, and those that wait for admission keep
  // waiting; unset to return to normal.
  void close(std::optional<Refusal> why);

 private:
  void carry_out(PodRecord& record, const AdmissionAnswer& answer);
  void show_unschedulable(PodRecord& record, const AdmissionAnswer& answer);
  void preempt(const AdmissionAnswer& answer);
  void make_room(PodRecord& record, const AdmissionAnswer& answer);
  void report_late(const api::Pod& victim);
  void show_unanswered();
  void warn_about_unenforced(const api::Pod& pod);

  const PodSetServices& services_;
  const PodSetOptions& options_;
  const PodRecords& records_;
  const PodVerdicts& verdicts_;
  ReconcileSchedule& reconcile_;
  const PodOccupancy& occupancy_;
  PodPublisher& publisher_;
  PodLauncher& launcher_;
  PodRejection& rejection_;
  EndOrders& orders_;
  ApiOrders& api_orders_;
  std::optional<Refusal> closed_{};  // why no new pod is admitted
};

}  // namespace berth::lifecycle
