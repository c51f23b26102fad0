// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/endings/invariants_deletion.hpp"

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"

namespace berth::simulation {

void DeletionInvariants::check(const Instance& instance) {
  const auto found = invariants_.pods().find(instance.pod_uid);
  if (found == invariants_.pods().end()) return;
  const PodHistory& pod = found->second;
  if (pod.orders.empty() || pod.spec_lost || pod.hidden || !instance.live()) return;
  // A call of the previous berthd.
  if (instance.last_stop_called && *instance.last_stop_called <= began_) return;
  const auto shown = shown_.find(instance.pod_uid);
  if (shown != shown_.end() && shown->second) return;
  invariants_.violated(
      fmt::format("{} is asked to end {:.3f} s after its pod was ordered to, which "
                  "is not shown as being deleted",
                  called(instance), in_seconds(clock_.steady_now() - pod.orders.front().at)));
}

}  // namespace berth::simulation
