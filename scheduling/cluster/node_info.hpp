// A node as the scheduler sees it: what its object says, and what the pods on it take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "scheduling/cluster/pod_info.hpp"
#include "scheduling/predicates/node_affinity.hpp"

namespace berth::scheduling {

using PodSlot = std::uint32_t;

// Of a pod on a node, what is asked again and again; the rest is in its PodInfo.
struct NodePod {
  PodSlot slot = 0;
  NameId namespace_ = 0;
  LabelSetId labels = 0;
  AffinityTermsId terms = kNoAffinityTerms;
  bool terminating = false;
};

// What matters of a node's object.
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
  // All but the ports: whether they are free then only the caller knows, as other pods on the node
  // may have the same.
  void remove(const PodInfo& pod);
};

struct NodeInfo {
  std::string name{};
  // There may be pods on a node whose object is not here (yet, or any more); nobody looks at it.
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
