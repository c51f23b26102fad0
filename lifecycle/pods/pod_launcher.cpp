// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_launcher.hpp"

#include <utility>

#include "base/assertion.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/pods/pod_workers.hpp"

namespace berth::lifecycle {

PodLauncher::PodLauncher(PodSetParts& parts, PodPublisher& publisher, PodWorkers& workers)
    : options_(parts.options),
      verdicts_(parts.verdicts),
      publisher_(publisher),
      workers_(workers) {}

void PodLauncher::launch(PodRecord& record, ListedPod listed, PodMemoryPtr memory) {
  assert_that(record.worker == nullptr, "a record has one worker", record.pod->metadata.uid);
  record.state = RecordState::kWorking;
  verdicts_.drop_ended(record.pod->metadata.uid);  // of an earlier pod with that uid
  assign_to_node(record, options_.node_name);
  if (memory && memory->end && hides(memory->end->ending)) publisher_.hide(record);
  workers_.begin(record, std::move(listed), std::move(memory));
}

}  // namespace berth::lifecycle
