// SPDX-License-Identifier: Apache-2.0

// Events that end pods which are kept: eviction, preemption, a shutdown that is cancelled.
#include <algorithm>
#include <vector>

#include "lifecycle/ending.hpp"
#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::seconds;

// Sometimes disrupts one pod, now and then every pod. If the machine runs short of a resource, or
// has recovered, berthd notices by itself. No pod may notice that its sandbox was copied.
void SimulatedNode::disrupt() {
  shut_down_or_not();
  if (over()) return;
  if (extras_.resources) say(extras_.resources->befall());
  if (copying_ && copying_->chance(250)) copy_sandbox();
  if (!disruptions_ || !agent_ || !disruptions_->chance(200)) return;
  if (!disruptions_->chance(100)) return evict();
  // If the machine announces shutdowns, berthd gives these orders itself.
  if (extras_.login) return;
  say("the node shuts down, which comes to nothing");
  for (const PodPtr& pod : agent_->pods().snapshot()) {
    const seconds own(pod->spec.terminationGracePeriodSeconds.value_or(0));
    order_end_and_stay(*pod,
                       lifecycle::node_shutdown(std::min(own, seconds(10)), clock_.wall_now()));
    if (over()) return;
  }
}

void SimulatedNode::evict() {
  const auto shown = agent_->pods().snapshot();
  if (shown.empty()) return;
  const PodPtr pod = disruptions_->pick(shown);
  const auto now = clock_.wall_now();
  static const std::vector<int> kGraces = {0, 1, 1, 4, 15};
  // Eviction gives no pod more than its own period.
  const seconds own(pod->spec.terminationGracePeriodSeconds.value_or(kGraces.back()));
  const seconds grace = std::min(own, seconds(disruptions_->pick(kGraces)));
  const std::vector<lifecycle::Ending> endings = {
      lifecycle::evicted("The node was low on resource: memory. ", grace, now),
      lifecycle::evicted_for_storage(
          "Usage of EmptyDir volume \"data\" exceeds the limit \"1Mi\". ", now),
      lifecycle::preempted(now)};
  order_end_and_stay(*pod, disruptions_->pick(endings));
}

}  // namespace berth::simulation
