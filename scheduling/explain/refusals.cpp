// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/refusals.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scheduling/explain/amount_text.hpp"
#include "scheduling/explain/first_names.hpp"
#include "scheduling/explain/node_requirements.hpp"

namespace berth::scheduling {
namespace {

std::string domain_of(const NodeInfo& node, const std::string& key) {
  const auto label = node.facts.labels.find(key);
  return label == node.facts.labels.end() ? std::string() : label->second;
}

std::string names_of(const PodsByDomain& domains) {
  FirstNames names;
  for (const auto& [domain, pods] : domains) names.add(domain);
  return names.text();
}

Refusal of_status(const Status& status) {
  return {.plugin = status.plugin,
          .is_unresolvable = status.code == StatusCode::kUnschedulableAndUnresolvable,
          .reasons = status.reasons};
}

std::string port_text(const HostPort& port) {
  return fmt::format("{}:{}/{}", port.ip, port.port, port.protocol);
}

std::int64_t amount_of(const PodInfo& pod, const std::string& resource) {
  return pod.requests.of(resource);
}

// The largest users of a resource.
std::string users_of(const Cluster& cluster, const NodeInfo& node, const std::string& resource) {
  std::vector<std::pair<std::int64_t, std::string>> users;
  for (const NodePod& one : node.pods) {
    const PodInfo& pod = cluster.pod(one.slot);
    const std::int64_t amount = amount_of(pod, resource);
    if (amount == 0) continue;
    users.emplace_back(amount, cluster.vocabulary().text_of(pod.namespace_) + "/" + pod.name);
  }
  std::sort(users.begin(), users.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  FirstNames names;
  for (const auto& [amount, user] : users)
    names.add(names.has_room() ? user + " " + amount_text(resource, amount) : user);
  return names.text();
}

}  // namespace

Refusals::Refusals(const Scheduler& scheduler)
    : scheduler_(scheduler),
      cluster_(scheduler.cluster()),
      pod_(scheduler.pod()),
      skew_(scheduler) {
  looked_at_.resize(cluster_.node_slots());
  for (const NodeIndex node : scheduler.feasible()) looked_at_[node] = true;
  for (const NodeIndex node : scheduler.rejected()) looked_at_[node] = true;
  if (!scheduler.filtering().inter_pod().is_skipped()) matches_.emplace(scheduler);
}

std::vector<Refusal> Refusals::of(NodeIndex index) const {
  const NodeInfo& info = cluster_.node(index);
  const Filtering& filtering = scheduler_.filtering();
  if (filtering.pre_filter().status.code != StatusCode::kSuccess) return {absent(info)};
  std::vector<Refusal> refusals;
  if (!looked_at_[index]) refusals.push_back(absent(info));
  const Rejections first = filtering.rejections()[index];
  const Rejections all =
      first | (filtering.by_plugin()[index] & rejections_by(scheduler_.profile().filters));
  if (all == 0) return refusals;
  const HypotheticalNode node = filtering.judged(filtering.hypothetical(index));
  // The lowest bit is the reason that a cycle reports; for a node that was judged with nominated
  // pods, the lowest bit of that judgement.
  if (first != 0) refusals.push_back(refusal_by(first_of(first), node));
  for (unsigned bit = 0; bit < static_cast<unsigned>(Rejection::kAbsent); ++bit) {
    const auto rejection = static_cast<Rejection>(bit);
    if ((all & bit_of(rejection)) == 0 || (first != 0 && rejection == first_of(first))) continue;
    refusals.push_back(refusal_by(rejection, node));
  }
  return refusals;
}

// All nodes that were not considered share one status.
Refusal Refusals::absent(const NodeInfo& node) const {
  Refusal refusal = of_status(scheduler_.absent_status());
  const auto& narrowed = scheduler_.filtering().pre_filter().narrowed;
  if (narrowed) {
    refusal.plugin = std::string(name_of(Plugin::kNodeAffinity));
    std::string names;
    for (const std::string& name : *narrowed) names += (names.empty() ? "" : ", ") + name;
    refusal.values.push_back(
        fmt::format("required node affinity only allows node {}; this is {}", names, node.name));
    refusal.changes.emplace_back("change matchFields of the node affinity");
  } else if (refusal.plugin == name_of(Plugin::kNodeAffinity)) {
    refusal.values.emplace_back(
        "the metadata.name fields of a required node affinity term contradict each other");
    refusal.changes.emplace_back("name one node per term; alternatives are separate terms");
  }
  return refusal;
}

Refusal Refusals::refusal_by(Rejection rejection, const HypotheticalNode& node) const {
  const RejectionRule& rule = rule_of(rejection);
  Refusal refusal{.plugin = std::string(name_of(rule.plugin)),
                  .is_unresolvable = rule.code == StatusCode::kUnschedulableAndUnresolvable};
  if (!rule.reason.empty()) refusal.reasons.emplace_back(rule.reason);
  explain(rejection, node, refusal);
  if (refusal.values.empty()) explain_nominated(node.node, refusal);
  return refusal;
}

// If no pod on the node explains the refusal, a nominated pod does.
void Refusals::explain_nominated(NodeIndex node, Refusal& refusal) const {
  std::string names;
  for (const Cluster::Nomination& nomination : cluster_.nominations()) {
    const PodInfo& pod = nomination.pod;
    if (nomination.node != node || pod.priority < pod_.info.priority) continue;
    names += (names.empty() ? "" : ", ") + cluster_.vocabulary().text_of(pod.namespace_) + "/" +
             pod.name;
  }
  if (names.empty()) return;
  refusal.values.push_back("because of pods that are nominated to this node: " + names);
  refusal.changes.emplace_back("wait until those pods are placed, or delete them");
}

void Refusals::explain(Rejection rejection, const HypotheticalNode& node, Refusal& refusal) const {
  const NodeInfo& info = cluster_.node(node.node);
  const api::Pod& pod = *pod_.object;
  switch (rejection) {
    case Rejection::kUnschedulable:
      return explain_cordon(info, refusal);
    case Rejection::kNodeName:
      return explain_name(pod, info, refusal);
    case Rejection::kTaint:
      return explain_taints(pod, info, refusal);
    case Rejection::kAddedAffinity:
      return explain_added_affinity(
          *scheduler_.profile()
               .node_affinity.addedAffinity->requiredDuringSchedulingIgnoredDuringExecution,
          info, refusal);
    case Rejection::kAffinity:
      return explain_affinity(pod, info, refusal);
    case Rejection::kPorts:
      return explain_ports(node, refusal);
    case Rejection::kResources:
    case Rejection::kResourcesUnresolvable:
      return explain_resources(node, refusal);
    case Rejection::kSpreadKeyMissing:
    case Rejection::kSpreadSkew:
      return explain_spread(node, refusal);
    case Rejection::kPodAffinity:
      return explain_affinity_missed(info, refusal);
    case Rejection::kPodAntiAffinity:
      return explain_anti_affinity(info, refusal);
    case Rejection::kExistingAntiAffinity:
      return explain_existing_anti_affinity(info, refusal);
    case Rejection::kAbsent:
      return;
  }
}

void Refusals::explain_ports(const HypotheticalNode& node, Refusal& refusal) const {
  for (const HostPort& wanted : pod_.info.ports) {
    std::string users;
    for (const NodePod& one : cluster_.node(node.node).pods) {
      const PodInfo& pod = cluster_.pod(one.slot);
      const bool uses = std::any_of(pod.ports.begin(), pod.ports.end(),
                                    [&](const HostPort& used) { return conflict(wanted, used); });
      if (!uses) continue;
      users += (users.empty() ? "" : ", ") + cluster_.vocabulary().text_of(pod.namespace_) + "/" +
               pod.name;
    }
    if (first_conflict({wanted}, node.usage.ports) == nullptr) continue;
    refusal.values.push_back(fmt::format("host port {} is in use by {}", port_text(wanted),
                                         users.empty() ? "a nominated pod" : users));
  }
  refusal.changes.emplace_back("use another hostPort or hostIP");
  refusal.changes.emplace_back("delete the pod that uses the port");
}

void Refusals::explain_resources(const HypotheticalNode& node, Refusal& refusal) const {
  const NodeInfo& info = cluster_.node(node.node);
  for (const Shortage& one : shortages(pod_.filtered_requests, room_of(info.facts, node.usage))) {
    const std::string& name = one.resource;
    refusal.shortages.push_back(
        {.resource = name, .requested = one.requested, .used = one.used, .capacity = one.capacity});
    if (name == "pods") {
      refusal.reasons.emplace_back("Too many pods");
      refusal.values.push_back(fmt::format("pods: {} of {} in use", one.used, one.capacity));
      refusal.changes.emplace_back("raise maxPods of the node, or remove a pod");
      continue;
    }
    refusal.reasons.push_back("Insufficient " + name);
    const auto amount = [&](std::int64_t value) { return amount_text(name, value); };
    const std::int64_t free = std::max<std::int64_t>(one.capacity - one.used, 0);
    std::string text = fmt::format("{}: needs {}, free {} of {}", name, amount(one.requested),
                                   amount(free), amount(one.capacity));
    if (const std::string users = users_of(cluster_, info, name); !users.empty()) {
      text += " (used by " + users + ")";
    }
    const std::int64_t nominated = one.used - info.usage.requested.of(name);
    if (nominated > 0) text += fmt::format("; reserved for nominated pods: {}", amount(nominated));
    refusal.values.push_back(std::move(text));
    if (one.is_unresolvable()) {
      refusal.changes.push_back(
          fmt::format("request at most {} {}, all that the node has", amount(one.capacity), name));
    } else {
      refusal.changes.push_back(fmt::format("request at most {} {}, or free {} on the node",
                                            amount(free), name, amount(one.requested - free)));
    }
  }
}

void Refusals::explain_spread(const HypotheticalNode& node, Refusal& refusal) const {
  const SpreadFilter& spread = scheduler_.filtering().spread();
  const NodeInfo& info = cluster_.node(node.node);
  for (std::size_t i = 0; i < spread.constraints(); ++i) {
    const auto finding = spread.find_one(i, node.node, node.spread);
    if (!finding) continue;
    const std::string& key = cluster_.vocabulary().text_of(finding->constraint->topology_key);
    if (finding->rejection == Rejection::kSpreadKeyMissing) {
      refusal.values.push_back(fmt::format("the node has no label {}", key));
      refusal.changes.push_back(fmt::format("kubectl label node {} {}=...", info.name, key));
      continue;
    }
    skew_.explain(i, finding->figures, domain_of(info, key), refusal);
  }
}

void Refusals::explain_affinity_missed(const NodeInfo& node, Refusal& refusal) const {
  const auto& terms = pod_.terms->required_affinity;
  for (std::size_t i = 0; i < terms.size() && matches_; ++i) {
    const std::string& key = cluster_.vocabulary().text_of(terms[i].topology_key);
    const std::string domain = domain_of(node, key);
    const std::string wanted = term_text(terms[i], cluster_);
    if (!node.facts.labels.contains(key)) {
      refusal.values.push_back(
          fmt::format("needs {} in the same {}; the node has no such label", wanted, key));
      refusal.changes.push_back(fmt::format("kubectl label node {} {}=...", node.name, key));
      continue;
    }
    const PodsByDomain& by_domain = matches_->affinity(i);
    if (by_domain.contains(domain)) continue;
    const bool nowhere = by_domain.empty();
    refusal.values.push_back(
        fmt::format("needs {}; {}={} has none{}", wanted, key, domain,
                    nowhere ? ", nor has any other node" : "; found in " + names_of(by_domain)));
    if (!nowhere) {
      refusal.changes.push_back("free capacity in " + key + "=" + names_of(by_domain));
    } else if (!matches_->means_itself()) {
      refusal.changes.push_back(
          fmt::format("first start a pod that matches {}; this pod does not match its own term, so "
                      "it cannot be the first",
                      wanted));
    }
  }
  refusal.changes.emplace_back("use preferred instead of required affinity");
}

void Refusals::explain_anti_affinity(const NodeInfo& node, Refusal& refusal) const {
  const auto& terms = pod_.terms->required_anti_affinity;
  for (std::size_t i = 0; i < terms.size() && matches_; ++i) {
    const std::string& key = cluster_.vocabulary().text_of(terms[i].topology_key);
    const auto found = matches_->anti_affinity(i).find(domain_of(node, key));
    if (!node.facts.labels.contains(key) || found == matches_->anti_affinity(i).end()) continue;
    refusal.values.push_back(fmt::format("must not share {} with {}; in {} there is {}", key,
                                         term_text(terms[i], cluster_), found->first,
                                         found->second.text()));
    refusal.changes.push_back(fmt::format("add a node with another {}", key));
  }
  refusal.changes.emplace_back("use preferred instead of required anti-affinity");
}

void Refusals::explain_existing_anti_affinity(const NodeInfo& node, Refusal& refusal) const {
  if (!matches_) return;
  for (const auto& [key_id, domains] : matches_->existing()) {
    const std::string& key = cluster_.vocabulary().text_of(key_id);
    const auto found = domains.find(domain_of(node, key));
    if (!node.facts.labels.contains(key) || found == domains.end()) continue;
    refusal.values.push_back(
        fmt::format("pods with anti-affinity against this pod share its {} {}: {}", key,
                    found->first, found->second.text()));
    refusal.changes.push_back(fmt::format("add a node with another {}", key));
  }
  refusal.changes.emplace_back("change the labels of the pod, or the anti-affinity of those pods");
}

}  // namespace berth::scheduling
