// SPDX-License-Identifier: Apache-2.0

// Everything that changes the course of a pod: what an earlier berthd has stored, orders to end it,
// its deadline, and the states that its worker enters (pod_course.hpp). Loop thread only; the parts
// outlive it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/worker/pod_course.hpp"

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodKeeper;
class PodProbes;
class PodReport;
class PodTeller;
class PodTermination;
class ShownStatus;
class Timetable;
struct OrderInForce;
struct PodEnvironment;
struct PodParts;

class PodTransitions {
 public:
  PodTransitions(PodParts& parts, const PodFacts& facts, PodReport& report,
                 PodTermination& termination);

  // Resumes from what the store has; if the runtime has lost the pod, decide_loss() comes first.
  void begin_from(const PodMemory& memory);
  void apply_order(const Ending& order);
  void set_conditions(const std::map<std::string, api::PodCondition>& conditions);
  // The pod is past its activeDeadlineSeconds.
  void exceed_deadline();
  // All state changes go through here.
  void enter(WorkerState state, std::string_view why);

 private:
  void recall(const PodMemory& memory);
  void put_in_force(const OrderInForce& order);

  const PodEnvironment& env_;
  PodPtr& pod_;
  PodTeller& teller_;
  PodCourse& course_;
  Timetable& timetable_;
  ObservedPod& observed_;
  PodKeeper& keeper_;
  ContainerStops& stops_;
  PodProbes& probes_;
  ContainerStarts& starts_;
  ShownStatus& status_;
  const PodFacts& facts_;
  PodReport& report_;
  PodTermination& termination_;
};

}  // namespace berth::lifecycle
