// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/spread_constraints.hpp"

#include "scheduling/predicates/spread_selector.hpp"

namespace berth::scheduling {
namespace {

InclusionPolicy policy(const std::optional<std::string>& stated, InclusionPolicy otherwise) {
  if (!stated) return otherwise;
  return *stated == "Honor" ? InclusionPolicy::kHonor : InclusionPolicy::kIgnore;
}

class Compiler {
 public:
  Compiler(const api::Pod& pod, LabelSetId labels, Vocabulary& vocabulary)
      : pod_(pod), labels_(labels), vocabulary_(vocabulary) {}

  CompiledConstraints own(const char* when) {
    std::vector<SpreadConstraint> constraints;
    for (const auto& stated : pod_.spec.topologySpreadConstraints) {
      if (stated.whenUnsatisfiable != when) continue;
      const auto selector = spread_selector(stated, pod_.metadata.labels);
      if (!selector) return std::unexpected(selector.error());
      constraints.push_back(compiled(stated, *selector));
    }
    return constraints;
  }

  std::vector<SpreadConstraint> defaults(const char* when, const PodTopologySpreadArgs& args,
                                         const LabelSelector& selector) {
    std::vector<SpreadConstraint> constraints;
    for (const auto& stated : default_constraints(args)) {
      if (stated.whenUnsatisfiable == when) constraints.push_back(compiled(stated, selector));
    }
    return constraints;
  }

 private:
  SpreadConstraint compiled(const api::TopologySpreadConstraint& stated,
                            const LabelSelector& selector) {
    const SelectorId id = vocabulary_.selector(selector);
    return {.topology_key = vocabulary_.name(stated.topologyKey),
            .is_by_host = stated.topologyKey == "kubernetes.io/hostname",
            .max_skew = stated.maxSkew,
            .min_domains = stated.minDomains.value_or(1),
            .selector = id,
            .selects_itself = vocabulary_.matches(id, labels_),
            .is_empty_selector = selector.is_empty(),
            .affinity_policy = policy(stated.nodeAffinityPolicy, InclusionPolicy::kHonor),
            .taints_policy = policy(stated.nodeTaintsPolicy, InclusionPolicy::kIgnore)};
  }

  const api::Pod& pod_;
  LabelSetId labels_;
  Vocabulary& vocabulary_;
};

}  // namespace

SpreadConstraints compile_spread(const api::Pod& pod, LabelSetId pod_labels,
                                 const PodTopologySpreadArgs& args, Cluster& cluster) {
  Compiler compiler(pod, pod_labels, cluster.vocabulary());
  // Any constraint of the pod's own disables the defaults, both hard and soft ones.
  if (!pod.spec.topologySpreadConstraints.empty()) {
    return {.hard = compiler.own("DoNotSchedule"), .soft = compiler.own("ScheduleAnyway")};
  }
  const LabelSelector selector = cluster.selector_sources().selector_for(pod);
  if (selector.is_empty()) return {};
  return {.hard = compiler.defaults("DoNotSchedule", args, selector),
          .soft = compiler.defaults("ScheduleAnyway", args, selector),
          .tolerates_missing_keys = args.defaultingType == DefaultingType::kSystem};
}

}  // namespace berth::scheduling
