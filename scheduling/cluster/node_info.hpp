// SPDX-License-Identifier: Apache-2.0

// A node as the scheduler sees it: its object, and what its pods use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "scheduling/cluster/pod_info.hpp"
#include "scheduling/predicates/node_affinity.hpp"

namespace berth::scheduling {

using PodSlot = std::uint32_t;

// The frequently read part of a pod on a node; the rest is in its PodInfo.
struct NodePod {
  PodSlot slot = 0;
  NameId namespace_ = 0;
  LabelSetId labels = 0;
  AffinityTermsId terms = kNoAffinityTerms;
  bool terminating = false;
};

// The relevant part of a node's object.
struct NodeFacts {
  Labels labels{};
  std::vector<api::Taint> taints{};
  bool unschedulable = false;
  ResourceAmounts allocatable{};
  std::int64_t allowed_pods = 0;

  bool operator==(const NodeFacts&) const = default;
};

struct NodeUsage {
  ResourceAmounts requested{};
  std::int64_t nonzero_milli_cpu = 0;
  std::int64_t nonzero_memory = 0;
  std::int64_t pods = 0;
  std::vector<HostPort> ports{};

  void add(const PodInfo& pod);
  // Removes everything except the ports: other pods on the node may use the same ones, so only the
  // caller knows whether they are free.
  void remove(const PodInfo& pod);
};

struct NodeInfo {
  std::string name{};
  // False for a node with pods whose object is not present (not yet, or no longer); such a node is
  // not considered.
  bool present = false;
  NodeFacts facts{};
  std::vector<api::ContainerImage> stated_images{};
  std::vector<NameId> images{};  // sorted
  NodeUsage usage{};
  std::vector<NodePod> pods{};  // in the order in which they were added
  std::uint32_t pods_with_terms = 0;

  [[nodiscard]] NodeIdentity identity() const { return {.name = name, .labels = facts.labels}; }
};

[[nodiscard]] inline NodeRoom room_of(const NodeFacts& facts, const NodeUsage& usage) {
  return {.allocatable = facts.allocatable,
          .used = usage.requested,
          .allowed_pods = facts.allowed_pods,
          .pods = usage.pods};
}

}  // namespace berth::scheduling
