// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/pod_needs.hpp"

#include <algorithm>
#include <utility>

#include "api/pod_resources.hpp"
#include "scheduling/predicates/spread_selector.hpp"

namespace berth::scheduling {
namespace {

NeededTerms compile_terms(const std::vector<api::PodAffinityTerm>& stated, const api::Pod& owner) {
  NeededTerms compiled;
  for (const api::PodAffinityTerm& one : stated) {
    auto term = compile_pod_term(one, owner.metadata.namespace_);
    if (!term) return {.problem = std::move(term.error())};
    compiled.terms.push_back(std::move(*term));
  }
  return compiled;
}

// Whether the term matches the pod; the labels of its namespace are unknown here.
bool means(const PodTerm& term, const api::Pod& pod) {
  const bool in_namespace =
      term.namespaces.contains(pod.metadata.namespace_) || term.namespace_selector.matches({});
  return in_namespace && term.selector.matches(pod.metadata.labels);
}

NeededSpreads compile_spread(const api::Pod& pod) {
  NeededSpreads compiled;
  for (const api::TopologySpreadConstraint& stated : pod.spec.topologySpreadConstraints) {
    if (stated.whenUnsatisfiable != "DoNotSchedule") continue;
    auto selector = spread_selector(stated, pod.metadata.labels);
    if (!selector) return {.problem = std::move(selector.error())};
    compiled.constraints.push_back({.topology_key = stated.topologyKey,
                                    .selector = std::move(*selector),
                                    .honors_taints = stated.nodeTaintsPolicy == "Honor"});
  }
  return compiled;
}

}  // namespace

bool NeededTerms::all_mean(const api::Pod& pod) const {
  return !terms.empty() &&
         std::ranges::all_of(terms, [&](const PodTerm& term) { return means(term, pod); });
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
