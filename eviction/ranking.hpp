// SPDX-License-Identifier: Apache-2.0

// The order in which pods would be evicted, the key that gave each pod its place, and which pods
// are exempt.
//
// Pure. The keys are Kubernetes': for memory and disk first pods that exceed their request, then
// the lower priority, then the largest excess over the request; for processes the lower priority,
// then the largest number; for berth's own stalls of disks the lower priority, then the largest
// stall. A pod without readings comes first at the key that would need them. The QoS class is not a
// key. Pods with equal keys keep the order in which they are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "api/pod_qos.hpp"
#include "eviction/pod_reference.hpp"
#include "eviction/pod_use.hpp"

namespace berth::eviction {

enum class RankingKey : std::uint8_t {
  kNoReading,       // it has no readings: it comes before pods with readings
  kExceedsRequest,  // it exceeds its request, the other pod does not
  kPriority,        // its priority is lower
  kConsumption,     // its excess over the request, number of processes or stall is larger
  kGivenOrder,      // equal in all keys
};
[[nodiscard]] std::string_view to_string(RankingKey key);

// Why a pod is not evicted, regardless of its rank.
enum class Exemption : std::uint8_t {
  kStaticPod,       // critical by the kubelet's rule, if that is configured
  kMirrorPod,       // likewise
  kSystemPriority,  // priority of 2,000,000,000 or more
  kWithinRequests,  // evictWithinRequests: false, and it does not exceed its request
  kUsageUnknown,    // evictWithinRequests: false, and its usage was not measured
};
[[nodiscard]] std::string_view to_string(Exemption exemption);

struct RankedPod {
  PodReference pod{};
  PodUse use{};
  std::size_t given_at = 0;              // its index among the pods to be ranked
  std::optional<RankingKey> ahead_by{};  // key that ranks it before the next one; unset for the
                                         // last
  std::optional<Exemption> exempt{};

  bool operator==(const RankedPod&) const = default;
};

// A bool without a default: the caller must state it.
class Stated {
 public:
  constexpr Stated(bool value) : value_(value) {}     // NOLINT: stands for a bool
  constexpr operator bool() const { return value_; }  // NOLINT: likewise

  bool operator==(const Stated&) const = default;

 private:
  bool value_;
};

// Which pods may be evicted at all.
struct EvictionRules {
  // The kubelet's rule: static and mirror pods are exempt. A forgotten setting would evict them, or
  // spare them, against the configuration.
  Stated static_pods_are_critical;
  // berth's own switch: false spares pods within their requests, even if no other pod is left.
  bool evict_within_requests = true;

  bool operator==(const EvictionRules&) const = default;
};

// Whether a pod is a candidate at all. A pod whose phase is final is not: none of its containers
// runs. A pod that is still being stopped is.
[[nodiscard]] bool may_be_ranked(const api::Pod& pod);

[[nodiscard]] std::optional<Exemption> critical_exemption(const api::Pod& pod,
                                                          const EvictionRules& rules);

[[nodiscard]] std::vector<RankedPod> rank_pods(const std::vector<const api::Pod*>& pods,
                                               const PodReadings& readings, Signal signal,
                                               FileSystemLayout layout, const EvictionRules& rules);

// The first pod that is not exempt, or null.
[[nodiscard]] const RankedPod* first_victim(const std::vector<RankedPod>& ranking);

}  // namespace berth::eviction
