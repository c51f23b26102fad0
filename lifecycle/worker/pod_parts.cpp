// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_parts.hpp"

#include <utility>

namespace berth::lifecycle {

PodParts::PodParts(const PodEnvironment& environment, PodPtr desired,
                   std::optional<ListedPod> listed, const PodMemoryPtr& memory)
    : env(environment),
      pod(std::move(desired)),
      teller({.clock = environment.clock,
              .events = environment.events,
              .log = environment.log,
              .ledger = environment.ledger},
             pod),
      mailbox(environment.executor),
      children(environment.executor, environment.on_failure),
      timetable(environment.clock),
      observed(std::move(listed)),
      keeper(environment.executor, environment.store, memory),
      probes(environment.prober, pod->metadata.uid),
      starts(pod->metadata.uid),
      setup(environment.executor,
            {.host = environment.host, .objects = environment.objects, .children = children}, pod,
            teller, timetable),
      files_bell(environment.executor),
      status(pod->status) {}

}  // namespace berth::lifecycle
