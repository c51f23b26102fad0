// SPDX-License-Identifier: Apache-2.0

// The pod to be placed, compiled for one profile: everything that its cycle needs to know about it.
//
// Compiled from the object's spec alone (its requests ignore its status). Does not own the object,
// which must outlive it.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/cluster/cluster.hpp"
#include "scheduling/cycle/profile.hpp"
#include "scheduling/cycle/spread_constraints.hpp"
#include "scheduling/predicates/node_affinity.hpp"

namespace berth::scheduling {

struct IncomingPod {
  const api::Pod* object = nullptr;
  PodInfo info{};  // as it will be on its node

  ResourceAmounts requests{};           // of the whole pod
  ResourceAmounts filtered_requests{};  // without what the profile exempts from the filter
  // Requests of the containers alone, 100m and 200Mi if unset: the input to NodeResourcesFit's
  // score.
  ResourceAmounts scored_requests{};

  RequiredNodeAffinity required_affinity{};
  std::expected<PreferredNodeTerms, std::string> preferred_affinity{};
  SpreadConstraints spread{};
  const AffinityTerms* terms = nullptr;  // owned by the cluster
  std::string terms_problem{};           // empty if the terms are valid
  std::vector<NameId> images{};          // of all containers, normalised

  // Keys by which pods with equal terms share columns.
  std::string tolerations_key{};
  std::string affinity_key{};
  std::string preferred_key{};
};

[[nodiscard]] IncomingPod compile_incoming(const api::Pod& pod, const Profile& profile,
                                           Cluster& cluster);

// The names that remain by required node affinity, if each of its terms names nodes; empty if the
// terms contradict each other, `std::nullopt` if the terms do not narrow the names.
[[nodiscard]] std::optional<std::vector<std::string>> narrowed_names(const api::Pod& pod);

// In the form in which nodes list images: with ":latest" if there is no tag.
[[nodiscard]] std::string normalized_image(const std::string& image);

}  // namespace berth::scheduling
