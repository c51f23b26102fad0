// SPDX-License-Identifier: Apache-2.0

#include "scheduling/preemption/victims.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

constexpr const char* kNoVictims = "No preemption victims found for incoming pod";

class NodeWithout {
 public:
  NodeWithout(const Scheduler& scheduler, NodeIndex node)
      : scheduler_(scheduler),
        filtering_(scheduler.filtering()),
        node_(filtering_.hypothetical(node)) {}

  void remove(PodSlot pod) { filtering_.remove(node_, scheduler_.cluster().pod(pod)); }
  void put_back(PodSlot pod) { filtering_.add(node_, scheduler_.cluster().pod(pod)); }
  [[nodiscard]] bool takes_the_pod() const { return filtering_.rejections_of(node_) == 0; }
  [[nodiscard]] Status status() const { return filtering_.status_of(node_); }

 private:
  const Scheduler& scheduler_;
  const Filtering& filtering_;
  HypotheticalNode node_;
};

void sort_by_importance(std::vector<PodSlot>& pods, const Cluster& cluster) {
  std::stable_sort(pods.begin(), pods.end(), [&](PodSlot a, PodSlot b) {
    return is_more_important(cluster.pod(a), cluster.pod(b));
  });
}

}  // namespace

bool is_more_important(const PodInfo& a, const PodInfo& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  if (!a.start_time || !b.start_time) return a.start_time && !b.start_time;
  return *a.start_time < *b.start_time;
}

std::expected<Victims, Status> victims_on(const Scheduler& scheduler, NodeIndex node,
                                          const DisruptionBudgets& budgets) {
  const Cluster& cluster = scheduler.cluster();
  std::vector<PodSlot> lesser;
  for (const NodePod& pod : cluster.node(node).pods) {
    if (cluster.pod(pod.slot).priority < scheduler.pod().info.priority) {
      lesser.push_back(pod.slot);
    }
  }
  if (lesser.empty()) {
    return std::unexpected(
        Status{.code = StatusCode::kUnschedulableAndUnresolvable, .reasons = {kNoVictims}});
  }
  NodeWithout without(scheduler, node);
  for (const PodSlot pod : lesser) without.remove(pod);
  if (Status status = without.status(); status.code != StatusCode::kSuccess) {
    return std::unexpected(std::move(status));
  }

  sort_by_importance(lesser, cluster);
  const DisruptionBudgets::Split split = budgets.split(lesser, cluster);
  Victims victims;
  const auto reprieve = [&](PodSlot pod) {
    without.put_back(pod);
    if (without.takes_the_pod()) return true;
    without.remove(pod);
    victims.pods.push_back(pod);
    return false;
  };
  // Pods protected by a budget are put back first, however unimportant they are.
  for (const PodSlot pod : split.violating) {
    if (!reprieve(pod)) ++victims.budget_violations;
  }
  for (const PodSlot pod : split.others) reprieve(pod);
  sort_by_importance(victims.pods, cluster);
  return victims;
}

}  // namespace berth::scheduling
