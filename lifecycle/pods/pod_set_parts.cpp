// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_set_parts.hpp"

#include <utility>

namespace berth::lifecycle {

PodSetParts::PodSetParts(PodSetServices given, PodSetOptions chosen, std::function<void()> pass,
                         std::function<void()> collect)
    : services(std::move(given)),
      options(std::move(chosen)),
      tasks(services.executor, services.on_failure),
      views(services.executor, records),
      verdicts({.store = *services.store, .clock = *services.clock, .log = *services.log}, tasks,
               records,
               [this] {
                 settled_bell.ring();
                 reconcile.soon();
               }),
      cleanup({.host = *services.host, .clock = *services.clock, .log = *services.log},
              [this] { reconcile.soon(); }),
      readiness(services.executor),
      reconcile(tasks, *services.clock, std::move(pass)),
      collection(tasks, "pod gc", std::move(collect)),
      settled_bell(services.executor) {}

}  // namespace berth::lifecycle
