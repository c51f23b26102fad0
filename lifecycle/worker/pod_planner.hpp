// SPDX-License-Identifier: Apache-2.0

// Decides what to do next for a pod that should run (plan.hpp), and reports what is held back. Loop
// thread only; the parts outlive it.
#pragma once

#include <set>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "lifecycle/plan.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class ContainerStarts;
class PodFacts;
class PodProbes;
class PodTeller;
class ShownStatus;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodPlanner {
 public:
  struct Decided {
    Plan plan{};
    std::string record{};  // its id in the ledger
  };

  PodPlanner(PodParts& parts, const PodFacts& facts);

  // Looks on the node for images whose pulls wait: they may have been imported, or pulled for
  // another pod. As often as the kubelet syncs a pod whose pull waits.
  [[nodiscard]] boost::asio::awaitable<void> look_for_images();
  [[nodiscard]] Decided decide();
  // Turns each refused start into the container's waiting reason, and into an event once per
  // window.
  void note_refusals(const Plan& plan, const std::string& decision);

 private:
  [[nodiscard]] std::set<std::string> images_in_backoff() const;

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  Timetable& timetable_;
  const PodProbes& probes_;
  ContainerStarts& starts_;
  const ShownStatus& status_;
  const PodFacts& facts_;
};

}  // namespace berth::lifecycle
