// SPDX-License-Identifier: Apache-2.0

// Which pods an affinity term matches. The two sides treat namespaces differently: a term of the
// incoming pod is resolved against the existing namespaces, a term of an existing pod against the
// labels of the incoming pod's namespace (no match if that namespace is unknown).
#pragma once

#include "scheduling/cluster/cluster.hpp"

namespace berth::scheduling {

// The part of a pod that an affinity term reads.
struct PodLabels {
  NameId namespace_ = 0;
  LabelSetId labels = 0;
};

// Whether a term of the incoming pod matches this existing pod. Kubernetes resolves a namespace
// selector to namespaces and then also evaluates it against a namespace without labels; so a
// selector that matches empty labels matches the pods of every namespace.
[[nodiscard]] bool means_existing(const AffinityTerm& term, const PodLabels& existing,
                                  const Cluster& cluster);
[[nodiscard]] bool all_mean_existing(const std::vector<AffinityTerm>& terms,
                                     const PodLabels& existing, const Cluster& cluster);

// Whether a term of an existing pod matches the incoming pod.
[[nodiscard]] bool means_incoming(const AffinityTerm& term, const PodLabels& incoming,
                                  const Cluster& cluster);

}  // namespace berth::scheduling
