// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_parts.hpp"

#include <utility>

namespace berth::lifecycle {

PodParts::PodParts(const PodEnvironment& environment, PodPtr desired,
                   std::optional<ListedPod> listed, const PodMemoryPtr& memory)
    : env(environment),
      pod(std::move(desired)),
      teller(environment.teller, pod),
      mailbox(environment.executor),
      children(environment.executor, environment.on_failure),
      timetable(environment.clock),
      observed(std::move(listed), memory ? memory->sandboxes : std::set<std::string>()),
      keeper(environment.executor, environment.store, memory),
      probes(environment.prober, pod->metadata.uid),
      starts(pod->metadata.uid),
      setup(environment.executor,
            {.host = environment.host, .objects = environment.now.objects, .children = children},
            pod, teller, timetable),
      files_bell(environment.executor),
      status(pod->status) {}

}  // namespace berth::lifecycle
