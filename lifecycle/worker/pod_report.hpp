// SPDX-License-Identifier: Apache-2.0

// Publishes a pod's status, records the decisions in it, and says what its worker does. Loop thread
// only; the parts outlive it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/worker/pod_activity.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodKeeper;
class PodMailbox;
class PodPersistence;
class PodProbes;
class PodSetup;
class PodTeller;
class ShownStatus;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodReport {
 public:
  PodReport(PodParts& parts, const PodFacts& facts, PodPersistence& persistence);

  // Computes the status from what is known now, and publishes it if it differs.
  void refresh();
  // Publishes an order at once, whatever the worker is doing.
  void show_order();
  // The external obstacles it waits for, as they are now.
  [[nodiscard]] std::vector<Obstacle> obstacles() const;
  // What the worker is doing right now; the caller fills in the pod itself.
  [[nodiscard]] PodActivity activity() const;

 private:
  // Returns the record's id; empty if the phase has not changed.
  std::string record_phase(const PodStatusInput& input, bool containers_may_run,
                           const PhaseDecision& published);
  void record_readiness(const PodStatusInput& input, const api::PodStatus& published);
  void record_containers(const PodStatusInput& input, bool decided,
                         const api::PodStatus& published);
  void show(api::PodStatus stamped, const std::string& decision = {});
  [[nodiscard]] std::shared_ptr<api::Pod> as_ordered() const;

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  const PodMailbox& mailbox_;
  TaskGroup& children_;
  const Timetable& timetable_;
  ObservedPod& observed_;
  const PodKeeper& keeper_;
  const ContainerStops& stops_;
  PodProbes& probes_;
  const ContainerStarts& starts_;
  const PodSetup& setup_;
  ShownStatus& status_;
  const PodFacts& facts_;
  PodPersistence& persistence_;
};

}  // namespace berth::lifecycle
