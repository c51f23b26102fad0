#include "scheduling/queue/pod_needs.hpp"

#include <algorithm>
#include <utility>

#include "api/pod_resources.hpp"

namespace berth::scheduling {
namespace {

// The namespaces that a term lists; where it neither lists nor selects any, its owner's own.
std::set<std::string> namespaces_of(const api::PodAffinityTerm& term, const api::Pod& owner) {
  if (term.namespaces.empty() && !term.namespaceSelector) return {owner.metadata.namespace_};
  return {term.namespaces.begin(), term.namespaces.end()};
}

NeededTerms compile_terms(const std::vector<api::PodAffinityTerm>& stated, const api::Pod& owner) {
  NeededTerms compiled;
  for (const api::PodAffinityTerm& term : stated) {
    auto selector = LabelSelector::compile(term.labelSelector);
    auto namespaces = LabelSelector::compile(term.namespaceSelector);
    if (!selector || !namespaces) {
      return {.problem = selector ? namespaces.error() : selector.error()};
    }
    compiled.terms.push_back({.topology_key = term.topologyKey,
                              .selector = std::move(*selector),
                              .namespaces = namespaces_of(term, owner),
                              .namespace_selector = std::move(*namespaces)});
  }
  return compiled;
}

// Of the keys that the constraint takes from the pod itself, those that it has.
Labels matched_labels(const api::TopologySpreadConstraint& constraint, const api::Pod& pod) {
  Labels pairs;
  for (const std::string& key : constraint.matchLabelKeys) {
    const auto label = pod.metadata.labels.find(key);
    if (label != pod.metadata.labels.end()) pairs.insert(*label);
  }
  return pairs;
}

NeededSpreads compile_spread(const api::Pod& pod) {
  NeededSpreads compiled;
  for (const api::TopologySpreadConstraint& stated : pod.spec.topologySpreadConstraints) {
    if (stated.whenUnsatisfiable != "DoNotSchedule") continue;
    auto selector = LabelSelector::compile(stated.labelSelector);
    if (!selector) return {.problem = selector.error()};
    selector->narrow(LabelSelector::of_pairs(matched_labels(stated, pod)));
    compiled.constraints.push_back({.topology_key = stated.topologyKey,
                                    .selector = std::move(*selector),
                                    .honors_taints = stated.nodeTaintsPolicy == "Honor"});
  }
  return compiled;
}

}  // namespace

bool NeededTerm::means(const api::Pod& pod) const {
  const bool in_namespace =
      namespaces.contains(pod.metadata.namespace_) || namespace_selector.matches({});
  return in_namespace && selector.matches(pod.metadata.labels);
}

bool NeededTerms::all_mean(const api::Pod& pod) const {
  return !terms.empty() &&
         std::ranges::all_of(terms, [&](const NeededTerm& term) { return term.means(pod); });
}

bool NeededSpreads::any_selects(const Labels& labels) const {
  return std::ranges::any_of(constraints, [&](const NeededSpread& constraint) {
    return constraint.selector.matches(labels);
  });
}

bool NeededSpreads::all_apply_to(const Labels& node_labels) const {
  return std::ranges::all_of(constraints, [&](const NeededSpread& constraint) {
    return node_labels.contains(constraint.topology_key);
  });
}

NeededSpreads default_spread(const std::vector<api::TopologySpreadConstraint>& constraints,
                             const LabelSelector& selector) {
  NeededSpreads compiled;
  if (selector.is_empty()) return compiled;
  for (const api::TopologySpreadConstraint& stated : constraints) {
    compiled.constraints.push_back({.topology_key = stated.topologyKey,
                                    .selector = selector,
                                    .honors_taints = stated.nodeTaintsPolicy == "Honor"});
  }
  return compiled;
}

PodNeeds needs_of(const api::Pod& pod) {
  PodNeeds needs{.requests = amounts_of(api::pod_requests(pod)),
                 .ports = host_ports(pod),
                 .node_affinity = RequiredNodeAffinity(pod.spec),
                 .spread = compile_spread(pod)};
  if (const auto& affinity = pod.spec.affinity) {
    if (affinity->podAffinity) {
      needs.affinity =
          compile_terms(affinity->podAffinity->requiredDuringSchedulingIgnoredDuringExecution, pod);
    }
    if (affinity->podAntiAffinity) {
      needs.anti_affinity = compile_terms(
          affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution, pod);
    }
  }
  return needs;
}

}  // namespace berth::scheduling
