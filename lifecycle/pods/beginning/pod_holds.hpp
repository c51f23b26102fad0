// SPDX-License-Identifier: Apache-2.0

// Holds desired pods that this berthd does not begin (hold_decision.hpp). Their running containers
// stay.
//
// The parts outlive this object. Loop thread only.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class PodPublisher;
class PodVerdicts;
struct PodRecord;
struct PodSetOptions;
struct PodSetParts;
struct PodSetServices;

class PodHolds {
 public:
  PodHolds(const PodSetParts& parts, PodPublisher& publisher);

  // True if the pod is held; then `listed`, what the runtime has of it, has moved to the record.
  [[nodiscard]] bool hold_if_not_run_here(PodRecord& record, ListedPod& listed);

 private:
  void hold(PodRecord& record, api::PodStatus status, const std::string& decision);

  const PodSetServices& services_;
  const PodSetOptions& options_;
  const PodVerdicts& verdicts_;
  PodPublisher& publisher_;
};

}  // namespace berth::lifecycle
