// SPDX-License-Identifier: Apache-2.0

// What an unscheduled pod waits for, compiled once: the input of the plugins' hints.
//
// Pure. If a selector cannot be compiled, its plugin's hints answer every event with "try again",
// as in Kubernetes; `problem` holds the reason.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "scheduling/predicates/host_ports.hpp"
#include "scheduling/predicates/label_selector.hpp"
#include "scheduling/predicates/node_affinity.hpp"
#include "scheduling/predicates/pod_term.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::scheduling {

// Required terms of pod affinity or anti-affinity.
struct NeededTerms {
  std::vector<PodTerm> terms{};
  std::string problem{};

  // Whether all terms match the pod; false without terms. The labels of the pod's namespace are
  // unknown here.
  [[nodiscard]] bool all_mean(const api::Pod& pod) const;
};

// A DoNotSchedule constraint of topology spread.
struct NeededSpread {
  std::string topology_key{};
  LabelSelector selector{};
  bool honors_taints = false;
};

struct NeededSpreads {
  std::vector<NeededSpread> constraints{};
  std::string problem{};

  [[nodiscard]] bool any_selects(const Labels& labels) const;
  // Whether the node has all keys.
  [[nodiscard]] bool all_apply_to(const Labels& node_labels) const;
};

// The DoNotSchedule constraints of a profile for a pod without any; `selector` is the combined
// selector of the services and controllers that the pod belongs to. Empty without a selector.
[[nodiscard]] NeededSpreads default_spread(
    const std::vector<api::TopologySpreadConstraint>& constraints, const LabelSelector& selector);

struct PodNeeds {
  ResourceAmounts requests{};
  std::vector<HostPort> ports{};
  RequiredNodeAffinity node_affinity{api::PodSpec{}};
  NeededTerms affinity{};
  NeededTerms anti_affinity{};
  NeededSpreads spread{};
};

[[nodiscard]] PodNeeds needs_of(const api::Pod& pod);

}  // namespace berth::scheduling
