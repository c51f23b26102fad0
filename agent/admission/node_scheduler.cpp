// SPDX-License-Identifier: Apache-2.0

#include "agent/admission/node_scheduler.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "scheduling/cycle/inter_pod_terms.hpp"
#include "scheduling/cycle/rejection.hpp"
#include "scheduling/preemption/preemption.hpp"

namespace berth::agent {

using lifecycle::Occupant;
using lifecycle::Occupants;
using lifecycle::PodPtr;

namespace {

using scheduling::ClusterEvent;
using scheduling::Decision;
using scheduling::NodeIndex;
using scheduling::PodEnding;
using scheduling::PodInfo;
using scheduling::Scheduler;

constexpr std::string_view kNamespaceName = "kubernetes.io/metadata.name";
constexpr std::array<std::string_view, 3> kPressureTaints = {"node.kubernetes.io/memory-pressure",
                                                             "node.kubernetes.io/disk-pressure",
                                                             "node.kubernetes.io/pid-pressure"};

bool is_pressure(const api::Taint& taint) {
  return std::ranges::find(kPressureTaints, taint.key) != kPressureTaints.end();
}

// The parts of the node that placement may depend on. With one node, its images make no difference.
scheduling::NodePtr snapshot_of(const api::Node& node) {
  auto snapshot = std::make_shared<api::Node>();
  snapshot->metadata.name = node.metadata.name;
  snapshot->metadata.labels = node.metadata.labels;
  snapshot->spec.taints = node.spec.taints;
  std::erase_if(snapshot->spec.taints, is_pressure);
  snapshot->spec.unschedulable = node.spec.unschedulable;
  snapshot->status.allocatable = node.status.allocatable;
  return snapshot;
}

api::Namespace with_its_name(api::Namespace object, const std::string& name) {
  object.metadata.name = name;
  object.metadata.labels[std::string(kNamespaceName)] = name;
  return object;
}

const PodPtr& newest(const Occupant& occupant) {
  return occupant.shown ? occupant.shown : occupant.pod;
}

// The plugins that rejected the node for the pod.
scheduling::PluginNames rejecting_plugins(const Scheduler& scheduler) {
  scheduling::PluginNames plugins;
  const auto add = [&](const scheduling::Status& status) {
    if (!status.plugin.empty()) plugins.insert(status.plugin);
  };
  const auto& before = scheduler.filtering().pre_filter().status;
  if (before.code != scheduling::StatusCode::kSuccess) add(before);
  for (const NodeIndex node : scheduler.rejected()) add(scheduler.filtering().status_of(node));
  // Nodes that NodeAffinity excludes have no status of their own.
  if (plugins.empty()) plugins.insert(std::string(name_of(scheduling::Plugin::kNodeAffinity)));
  return plugins;
}

// Worded as the scheduler will once the nominated pod is there.
Placement kept_away_by(const PodInfo& nominated) {
  const auto& rule = scheduling::rule_of(scheduling::Rejection::kExistingAntiAffinity);
  return {.outcome = Placement::Outcome::kUnschedulable,
          .message = fmt::format(
              "0/1 nodes are available: 1 {}. It makes room for {}, which is nominated to it.",
              rule.reason, nominated.name),
          .rejected_by = {std::string(name_of(rule.plugin))}};
}

}  // namespace

std::string no_profile(const api::Pod& pod) {
  return "no scheduler profile of this node is named \"" + pod.spec.schedulerName + "\"";
}

NodeScheduler::NodeScheduler(const scheduling::SchedulerSettings& settings) {
  for (const scheduling::Profile& profile : settings.profiles)
    schedulers_.emplace(profile.schedulerName, std::make_unique<Scheduler>(cluster_, profile));
}

NodeScheduler::Events NodeScheduler::set_node(const api::Node& node) {
  const scheduling::NodePtr now = snapshot_of(node);
  const scheduling::NodePtr before = std::exchange(node_, now);
  if (before && before->metadata.name != now->metadata.name)
    cluster_.remove_node(before->metadata.name);
  cluster_.set_node(*now);
  return before ? scheduling::node_updated(before, now) : Events{scheduling::node_added(now)};
}

void NodeScheduler::set_namespaces(const std::vector<api::Namespace>& stated) {
  std::map<std::string, api::Namespace> now;
  for (const auto& [name, object] : namespaces_) now.emplace(name, with_its_name({}, name));
  for (const api::Namespace& object : stated)
    now.insert_or_assign(object.metadata.name, with_its_name(object, object.metadata.name));
  for (const auto& [name, object] : now) cluster_.set_namespace(object);
  namespaces_ = std::move(now);
}

PodInfo NodeScheduler::compile(const api::Pod& pod) {
  const std::string& name = pod.metadata.namespace_;
  if (const auto [added, is_new] = namespaces_.try_emplace(name); is_new) {
    added->second = with_its_name({}, name);
    cluster_.set_namespace(added->second);
  }
  return cluster_.compile(pod).info;
}

NodeScheduler::Events NodeScheduler::apply_occupants(const Occupants& occupants) {
  Events events;
  std::set<std::string_view> there;
  const auto append = [&events](Events more) {
    std::ranges::move(more, std::back_inserter(events));
  };
  for (const Occupant& occupant : occupants) {
    there.insert(occupant.pod->metadata.uid);
    append(add(occupant));
  }
  std::vector<std::string> gone;
  for (const auto& [uid, placed] : placed_)
    if (!there.contains(uid)) gone.push_back(uid);
  for (const std::string& uid : gone) append(remove(uid));
  return events;
}

NodeScheduler::Events NodeScheduler::add(const Occupant& occupant) {
  const PodPtr& pod = newest(occupant);
  const std::string& uid = pod->metadata.uid;
  const auto before = placed_.find(uid);
  Events events;
  if (before == placed_.end()) {
    events.push_back(scheduling::assigned_pod_added(pod));
  } else {
    const bool same = before->second.pod == pod;
    if (same && before->second.ending == occupant.ending) return {};
    if (!same) events = scheduling::pod_updated(before->second.pod, pod);
  }
  PodInfo info = compile(*pod);
  if (occupant.ending && info.ending == PodEnding::kNone) info.ending = PodEnding::kTerminating;
  if (info.is_terminating() && preempted_.contains(uid)) info.ending = PodEnding::kPreempted;
  cluster_.add_pod(std::move(info), node_->metadata.name);
  placed_.insert_or_assign(uid, Placed{.pod = pod, .ending = occupant.ending});
  return events;
}

NodeScheduler::Events NodeScheduler::remove(const std::string& uid) {
  const auto placed = placed_.find(uid);
  if (placed == placed_.end()) return {};
  cluster_.remove_pod(scheduling::pod_key(*placed->second.pod));
  preempted_.erase(uid);
  Events events{scheduling::assigned_pod_deleted(placed->second.pod)};
  placed_.erase(placed);
  return events;
}

void NodeScheduler::nominate(const api::Pod& pod) {
  cluster_.nominate(compile(pod), node_->metadata.name);
}

Scheduler* NodeScheduler::scheduler_for(const api::Pod& pod) {
  const std::string& name = pod.spec.schedulerName;
  const auto found = schedulers_.find(name.empty() ? "default-scheduler" : name);
  return found == schedulers_.end() ? nullptr : found->second.get();
}

// Kubernetes reserves a nominated pod's resources, but does not enforce its anti-affinity: filters
// skip InterPodAffinity for a pod without terms of its own. With one node the successors of two
// victims would alternate on it for ever.
const PodInfo* NodeScheduler::nominated_that_cannot_stand(const PodInfo& pod) const {
  const scheduling::PodLabels labels{.namespace_ = pod.namespace_, .labels = pod.labels};
  const auto is_kept_away = [&](const scheduling::AffinityTerm& term) {
    const std::string& key = cluster_.vocabulary().text_of(term.topology_key);
    return node_->metadata.labels.contains(key) &&
           scheduling::means_existing(term, labels, cluster_);
  };
  for (const scheduling::Cluster::Nomination& nomination : cluster_.nominations()) {
    const PodInfo& nominated = nomination.pod;
    if (nominated.key == pod.key || nominated.priority <= pod.priority) continue;
    if (std::ranges::any_of(cluster_.affinity_terms(nominated.terms).required_anti_affinity,
                            is_kept_away))
      return &nominated;
  }
  return nullptr;
}

Placement NodeScheduler::place(const api::Pod& pod,
                               const std::vector<api::PodDisruptionBudget>& budgets) {
  Scheduler* scheduler = scheduler_for(pod);
  if (scheduler == nullptr)
    return {.outcome = Placement::Outcome::kNotOurs, .message = no_profile(pod)};
  static_cast<void>(compile(pod));  // ensures that its namespace exists
  const Decision decision = scheduler->decide(pod);
  if (decision.outcome == Decision::Outcome::kPlaced) {
    const PodInfo* nominated = nominated_that_cannot_stand(scheduler->pod().info);
    return nominated == nullptr ? Placement{} : kept_away_by(*nominated);
  }
  if (decision.outcome == Decision::Outcome::kError)
    return {.outcome = Placement::Outcome::kError, .message = decision.message};
  Placement placement{.outcome = Placement::Outcome::kUnschedulable,
                      .rejected_by = rejecting_plugins(*scheduler)};
  look_for_victims(*scheduler, budgets, placement);
  return placement;
}

void NodeScheduler::look_for_victims(Scheduler& scheduler,
                                     const std::vector<api::PodDisruptionBudget>& budgets,
                                     Placement& placement) {
  const scheduling::Preemption found =
      scheduling::preempt(scheduler, scheduling::DisruptionBudgets(budgets, cluster_));
  placement.message = found.message;
  placement.clears_nomination = found.clears_nomination;
  // A nominated pod that may not preempt although neither the profile nor its policy forbids it
  // waits for its victims: there is no other reason.
  placement.waits_for_victims = !scheduler.pod().object->status.nominatedNodeName.empty() &&
                                !found.ineligible_reason.empty() && scheduler.profile().preempts &&
                                scheduler.pod().object->spec.preemptionPolicy != "Never";
  if (found.best.empty()) return;
  const scheduling::PreemptionCandidate& best = found.candidates[found.best.front()];
  for (const scheduling::PodSlot slot : best.victims.pods)
    placement.victims.push_back(cluster_.pod(slot).key);
  for (const PodInfo* other : scheduling::lower_priority_nominated(scheduler, best.node))
    placement.outbid.push_back(other->key);
}

}  // namespace berth::agent
