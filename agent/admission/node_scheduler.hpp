// SPDX-License-Identifier: Apache-2.0

// The scheduling core over this node alone: whether a pod may be placed here, and which pods would
// have to be preempted for it.
//
// A value that is updated pod by pod: frequently needed results are kept current instead of
// recomputed. The node's own pressure taints are omitted: eviction decides about pressure. A
// namespace that no manifest defines counts as existing, with the label that the API server gives
// to every namespace. No I/O, no clock.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/namespace.hpp"
#include "api/pod_disruption_budget.hpp"
#include "lifecycle/admission/pod_admission.hpp"
#include "scheduling/cluster/cluster.hpp"
#include "scheduling/configuration/read_configuration.hpp"
#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/queue/cluster_event.hpp"

namespace berth::agent {

struct Placement {
  enum class Outcome : std::uint8_t {
    kPlaced,
    kUnschedulable,
    kError,    // the pod itself is invalid
    kNotOurs,  // no profile has the pod's schedulerName
  };
  Outcome outcome = Outcome::kPlaced;
  std::string message{};
  scheduling::PluginNames rejected_by{};
  std::vector<std::string> victims{};  // keys, most important first
  std::vector<std::string> outbid{};   // keys of nominated pods that lose their nomination to this
                                       // one
  // Its victims are terminating, and still there.
  bool waits_for_victims = false;
  bool clears_nomination = false;  // preemption was tried and found nothing
};

// Our own text: in Kubernetes such a pod waits silently for a scheduler of that name.
[[nodiscard]] std::string no_profile(const api::Pod& pod);

class NodeScheduler {
 public:
  explicit NodeScheduler(const scheduling::SchedulerSettings& settings);
  NodeScheduler(const NodeScheduler&) = delete;
  NodeScheduler& operator=(const NodeScheduler&) = delete;
  NodeScheduler(NodeScheduler&&) = delete;
  NodeScheduler& operator=(NodeScheduler&&) = delete;
  ~NodeScheduler() = default;

  using Events = std::vector<scheduling::ClusterEvent>;
  // Each returns the events that may make pods schedulable.
  Events set_node(const api::Node& node);
  // Brings the scheduler's pods in line with `occupants`, all pods on the node.
  Events apply_occupants(const lifecycle::Occupants& occupants);
  // A new or changed pod.
  Events add(const lifecycle::Occupant& occupant);
  Events remove(const std::string& uid);
  void set_namespaces(const std::vector<api::Namespace>& stated);

  void nominate(const api::Pod& pod);
  void remove_nomination(const std::string& key) { cluster_.remove_nomination(key); }
  // Records that these pods are being preempted: once they end, that is the reason.
  void preempted(const std::vector<std::string>& keys) {
    preempted_.insert(keys.begin(), keys.end());
  }

  // `budgets`: with their current status.
  [[nodiscard]] Placement place(const api::Pod& pod,
                                const std::vector<api::PodDisruptionBudget>& budgets);

  [[nodiscard]] const scheduling::SelectorSources& selector_sources() const {
    return cluster_.selector_sources();
  }

 private:
  struct Placed {
    lifecycle::PodPtr pod{};
    bool ending = false;
  };
  [[nodiscard]] scheduling::PodInfo compile(const api::Pod& pod);
  [[nodiscard]] scheduling::Scheduler* scheduler_for(const api::Pod& pod);
  [[nodiscard]] const scheduling::PodInfo* nominated_that_cannot_stand(
      const scheduling::PodInfo& pod) const;
  void look_for_victims(scheduling::Scheduler& scheduler,
                        const std::vector<api::PodDisruptionBudget>& budgets, Placement& placement);

  scheduling::Cluster cluster_{};
  std::map<std::string, std::unique_ptr<scheduling::Scheduler>> schedulers_{};  // by profile
  scheduling::NodePtr node_{};
  std::map<std::string, Placed> placed_{};  // by uid
  std::set<std::string> preempted_{};       // uids
  std::map<std::string, api::Namespace> namespaces_{};
};

}  // namespace berth::agent
