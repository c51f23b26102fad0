// Which pods an affinity term means. The two sides look at namespaces differently: a term of the
// pod that is placed at the namespaces there are, a term of a pod that is there at the labels of
// the namespace of the pod that is placed (none, if that namespace is unknown).
#pragma once

#include "scheduling/cluster/cluster.hpp"

namespace berth::scheduling {

// What an affinity term asks of a pod.
struct PodLabels {
  NameId namespace_ = 0;
  LabelSetId labels = 0;
};

// Whether a term of the pod that is placed means this pod, which is there. Once Kubernetes has
// looked up which namespaces a selector selects, it asks the selector about a namespace without
// labels as well, so that one which such a namespace would meet means the pods of every namespace.
[[nodiscard]] bool means_existing(const AffinityTerm& term, const PodLabels& existing,
                                  const Cluster& cluster);
[[nodiscard]] bool all_mean_existing(const std::vector<AffinityTerm>& terms,
                                     const PodLabels& existing, const Cluster& cluster);

// Whether a term of a pod that is there means the pod that is placed.
[[nodiscard]] bool means_incoming(const AffinityTerm& term, const PodLabels& incoming,
                                  const Cluster& cluster);

}  // namespace berth::scheduling
