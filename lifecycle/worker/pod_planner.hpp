// SPDX-License-Identifier: Apache-2.0

// Decides what to do next for a pod that should run (plan.hpp), and reports what is held back. Loop
// thread only; the parts outlive it.
#pragma once

#include <string>

#include "lifecycle/plan.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class ContainerStarts;
class PodFacts;
class PodProbes;
class PodTeller;
class ShownStatus;
struct PodEnvironment;
struct PodParts;

class PodPlanner {
 public:
  struct Decided {
    Plan plan{};
    std::string record{};  // its id in the ledger
  };

  PodPlanner(PodParts& parts, const PodFacts& facts);

  [[nodiscard]] Decided decide();
  // Turns each refused start into the container's waiting reason, and into an event once per
  // window.
  void note_refusals(const Plan& plan, const std::string& decision);

 private:
  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodProbes& probes_;
  ContainerStarts& starts_;
  const ShownStatus& status_;
  const PodFacts& facts_;
};

}  // namespace berth::lifecycle
