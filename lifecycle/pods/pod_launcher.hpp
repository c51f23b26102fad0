// SPDX-License-Identifier: Apache-2.0

// Gives pods their workers. The parts outlive this object. Loop thread only.
#pragma once

#include "lifecycle/pod_memory.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class PodPublisher;
class PodVerdicts;
class PodWorkers;
struct PodRecord;
struct PodSetOptions;
struct PodSetParts;

class PodLauncher {
 public:
  PodLauncher(PodSetParts& parts, PodPublisher& publisher, PodWorkers& workers);

  // Gives the pod a worker, which continues from what the runtime and the store have of it.
  void launch(PodRecord& record, ListedPod listed, PodMemoryPtr memory);

 private:
  const PodSetOptions& options_;
  PodVerdicts& verdicts_;
  PodPublisher& publisher_;
  PodWorkers& workers_;
};

}  // namespace berth::lifecycle
