// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/filtering.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

constexpr const char* kTermsConflict = "pod affinity terms conflict";

void or_into(std::vector<Rejections>& all, const Rejections* more) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i] |= more[i];
}

std::string shortage_text(const Shortage& shortage) {
  return shortage.resource == "pods" ? "Too many pods" : "Insufficient " + shortage.resource;
}

}  // namespace

void Filtering::trim() {
  columns_.trim();
  inter_pod_columns_.trim();
}

void Filtering::prepare(const Cluster& cluster, const IncomingPod& pod, Topologies& topologies,
                        SpreadColumns& spread_columns) {
  cluster_ = &cluster;
  pod_ = &pod;
  pre_filter_ = {};
  // If PreFilter rejects, no results of the last cycle may remain.
  placement_ = nullptr;
  spread_ = {};
  inter_pod_ = {};
  const std::size_t nodes = cluster.node_slots();
  by_plugin_.assign(nodes, 0);
  rejections_.assign(nodes, 0);
  run_pre_filters(topologies, spread_columns);
  if (pre_filter_.status.code != StatusCode::kSuccess) return;
  run_filters(nodes);
  look_at_nominations();
}

void Filtering::run_pre_filters(Topologies& topologies, SpreadColumns& spread_columns) {
  const PluginSet& plugins = profile_.pre_filters;
  PreFilterResult& result = pre_filter_;
  const auto reject = [&](StatusCode code, Plugin plugin, std::string reason) {
    result.status = {
        .code = code, .plugin = std::string(name_of(plugin)), .reasons = {std::move(reason)}};
  };

  const auto& added = profile_.node_affinity.addedAffinity;
  const bool enforced = added && added->requiredDuringSchedulingIgnoredDuringExecution;
  if (pod_->required_affinity.is_empty() && !enforced) {
    result.skipped.insert(Plugin::kNodeAffinity);
  } else if (const auto names = narrowed_names(*pod_->object);
             names && plugins.contains(Plugin::kNodeAffinity)) {
    if (names->empty()) {
      return reject(StatusCode::kUnschedulableAndUnresolvable, Plugin::kNodeAffinity,
                    kTermsConflict);
    }
    result.narrowed = names;
  }

  if (pod_->info.ports.empty()) result.skipped.insert(Plugin::kNodePorts);

  const bool spreads = plugins.contains(Plugin::kPodTopologySpread);
  if (spreads && !pod_->spread.hard) {
    return reject(StatusCode::kError, Plugin::kPodTopologySpread,
                  "running PreFilter plugin \"PodTopologySpread\": get constraints from pod: "
                  "obtaining pod's hard topology spread constraints: " +
                      pod_->spread.hard.error());
  }
  if (spreads) spread_.prepare(*cluster_, *pod_, spread_columns, topologies);
  if (spread_.is_skipped()) result.skipped.insert(Plugin::kPodTopologySpread);

  if (!plugins.contains(Plugin::kInterPodAffinity)) {
    result.skipped.insert(Plugin::kInterPodAffinity);
    return;
  }
  if (!pod_->terms_problem.empty()) {
    return reject(StatusCode::kUnschedulableAndUnresolvable, Plugin::kInterPodAffinity,
                  "parsing pod: " + pod_->terms_problem);
  }
  inter_pod_.prepare(*cluster_, *pod_, inter_pod_columns_, topologies);
  if (inter_pod_.is_skipped()) result.skipped.insert(Plugin::kInterPodAffinity);
}

void Filtering::run_filters(std::size_t nodes) {
  placement_ = &columns_.placement(*cluster_, *pod_);
  std::copy_n(placement_->data(), nodes, by_plugin_.begin());
  if (const auto* ports = columns_.ports(*cluster_, *pod_)) or_into(by_plugin_, ports->data());
  or_into(by_plugin_, columns_.resources(*cluster_, *pod_).rejections().data());
  if (!spread_.is_skipped()) spread_.reject(by_plugin_);
  if (!inter_pod_.is_skipped()) inter_pod_.reject(by_plugin_);
  const Rejections asked = rejections_by(profile_.filters);
  for (std::size_t i = 0; i < nodes; ++i) {
    rejections_[i] = static_cast<Rejections>(by_plugin_[i] & asked);
  }
}

bool Filtering::counts_as_nominated(const Cluster::Nomination& nomination) const {
  return nomination.pod.priority >= pod_->info.priority && nomination.pod.key != pod_->info.key;
}

// Only nominated pods that count can change the answer.
void Filtering::look_at_nominations() {
  for (const Cluster::Nomination& nomination : cluster_->nominations()) {
    const NodeIndex node = nomination.node;
    if (!counts_as_nominated(nomination) || !cluster_->node(node).present) continue;
    rejections_[node] = rejections_of(hypothetical(node));
  }
}

HypotheticalNode Filtering::hypothetical(NodeIndex node) const {
  HypotheticalNode made{.node = node, .usage = cluster_->node(node).usage};
  made.spread.resize(spread_.constraints());
  return made;
}

void Filtering::add(HypotheticalNode& node, const PodInfo& pod) const {
  node.usage.add(pod);
  apply(node, pod, 1);
}

void Filtering::remove(HypotheticalNode& node, const PodInfo& pod) const {
  node.usage.remove(pod);
  for (const HostPort& port : pod.ports) std::erase(node.usage.ports, port);
  apply(node, pod, -1);
}

void Filtering::apply(HypotheticalNode& node, const PodInfo& pod, std::int64_t sign) const {
  if (!spread_.is_skipped()) spread_.apply(node.spread, *cluster_, node.node, pod, sign);
  if (!inter_pod_.is_skipped()) inter_pod_.apply(node.inter_pod, node.node, pod, sign);
}

Rejections Filtering::alone(const HypotheticalNode& node) const {
  const NodeInfo& info = cluster_->node(node.node);
  Rejections bits = (*placement_)[node.node];
  bits |= port_rejections(node.usage, *pod_);
  bits |= resource_rejections(info.facts, node.usage, *pod_);
  if (!spread_.is_skipped()) bits |= spread_.rejections_of(node.node, node.spread);
  if (!inter_pod_.is_skipped()) bits |= inter_pod_.rejections_of(node.node, node.inter_pod);
  return static_cast<Rejections>(bits & rejections_by(profile_.filters));
}

std::optional<HypotheticalNode> Filtering::with_nominated(const HypotheticalNode& node) const {
  std::optional<HypotheticalNode> with;
  for (const Cluster::Nomination& nomination : cluster_->nominations()) {
    if (nomination.node != node.node || !counts_as_nominated(nomination)) continue;
    if (!with) with = node;
    add(*with, nomination.pod);
  }
  return with;
}

Rejections Filtering::rejections_of(const HypotheticalNode& node) const {
  if (const auto with = with_nominated(node)) {
    if (const Rejections bits = alone(*with); bits != 0) return bits;
  }
  // Nominated pods may never arrive, so no decision may depend on them.
  return alone(node);
}

Status Filtering::status_of(Rejections rejections, const NodeFacts& facts,
                            const NodeUsage& usage) const {
  if (rejections == 0) return {};
  const RejectionRule& rule = rule_of(first_of(rejections));
  Status status{.code = rule.code, .plugin = std::string(name_of(rule.plugin))};
  if (!rule.reason.empty()) {
    status.reasons.emplace_back(rule.reason);
    return status;
  }
  for (const Shortage& one : shortages(pod_->filtered_requests, room_of(facts, usage))) {
    status.reasons.push_back(shortage_text(one));
  }
  return status;
}

HypotheticalNode Filtering::judged(const HypotheticalNode& node) const {
  const auto with = with_nominated(node);
  return with && alone(*with) != 0 ? *with : node;
}

Status Filtering::status_of(const HypotheticalNode& node) const {
  const HypotheticalNode deciding = judged(node);
  return status_of(alone(deciding), cluster_->node(node.node).facts, deciding.usage);
}

bool Filtering::has_nominated(NodeIndex node) const {
  return std::any_of(
      cluster_->nominations().begin(), cluster_->nominations().end(),
      [&](const Cluster::Nomination& one) { return one.node == node && counts_as_nominated(one); });
}

Status Filtering::status_of(NodeIndex node) const {
  // The shortage may exist only because of nominated pods.
  if (placement_ != nullptr && has_nominated(node)) return status_of(hypothetical(node));
  const NodeInfo& info = cluster_->node(node);
  return status_of(rejections_[node], info.facts, info.usage);
}

Status Filtering::status_of(NodeIndex node, Plugin plugin) const {
  PluginSet only;
  only.insert(plugin);
  const auto bits = static_cast<Rejections>(by_plugin_[node] & rejections_by(only));
  return status_of(bits, cluster_->node(node).facts, cluster_->node(node).usage);
}

}  // namespace berth::scheduling
