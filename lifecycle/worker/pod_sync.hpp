// SPDX-License-Identifier: Apache-2.0

// Carries out the plan for a pod that should run. Loop thread only; the parts outlive it.
#pragma once

#include <cstdint>

#include <boost/asio/awaitable.hpp>

#include "lifecycle/pod_actions.hpp"

namespace berth::lifecycle {

class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodGarbage;
class PodHooks;
class PodPlanner;
class PodReport;
class PodSandboxes;
class PodTeller;
class PodTermination;
class PodTransitions;
class PodVolumes;
class ShownStatus;
class StartSequence;
class Timetable;
struct PodParts;

class PodSync {
 public:
  PodSync(PodParts& parts, const PodFacts& facts, PodReport& report, PodHooks& hooks,
          PodTermination& termination, PodGarbage& garbage, PodTransitions& transitions,
          PodVolumes& volumes, StartSequence& sequence, PodSandboxes& sandboxes,
          PodPlanner& planner);

  // True if another turn is to follow at once.
  [[nodiscard]] boost::asio::awaitable<bool> sync();

 private:
  boost::asio::awaitable<bool> carry_out(PodActions actions);
  void report_sandbox_change(std::uint32_t attempt);
  boost::asio::awaitable<bool> kill_pod();

  PodTeller& teller_;
  const PodCourse& course_;
  Timetable& timetable_;
  const ObservedPod& observed_;
  ContainerStops& stops_;
  const ShownStatus& status_;
  const PodFacts& facts_;
  PodReport& report_;
  PodHooks& hooks_;
  PodTermination& termination_;
  PodGarbage& garbage_;
  PodTransitions& transitions_;
  PodVolumes& volumes_;
  StartSequence& sequence_;
  PodSandboxes& sandboxes_;
  PodPlanner& planner_;
};

}  // namespace berth::lifecycle
