// In which order pods would go, which key put each of them at its place, and who is spared.
//
// Pure. Kubernetes' keys: of memory and disk first who uses more than was requested, then the lower
// priority, then who is furthest above the request; of processes the lower priority, then who has
// most. A pod without readings goes first at the key that would need them. The QoS class is no key.
// What is equal in all keys keeps the order in which the pods are given.
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
  kNoReading,       // nothing was measured of it: it goes before those of which something was
  kExceedsRequest,  // it uses more than it requested, the other does not
  kPriority,        // its priority is lower
  kConsumption,     // it uses more beyond its request, or has more processes
  kGivenOrder,      // equal in everything
};
[[nodiscard]] std::string_view to_string(RankingKey key);

// Why a pod is not evicted whatever its place.
enum class Exemption : std::uint8_t {
  kStaticPod,       // critical by the kubelet's rule, if that is configured
  kMirrorPod,       // likewise
  kSystemPriority,  // priority of 2,000,000,000 or more
  kWithinRequests,  // evictWithinRequests: false, and it uses no more than it requested
  kUsageUnknown,    // evictWithinRequests: false, and its usage was not measured
};
[[nodiscard]] std::string_view to_string(Exemption exemption);

struct RankedPod {
  PodReference pod{};
  PodUse use{};
  std::size_t given_at = 0;              // its place among the pods that were ranked
  std::optional<RankingKey> ahead_by{};  // of the next one; the last has none
  std::optional<Exemption> exempt{};

  bool operator==(const RankedPod&) const = default;
};

// A bool without a default: who makes one has to say which.
class Stated {
 public:
  constexpr Stated(bool value) : value_(value) {}     // NOLINT: stands for a bool
  constexpr operator bool() const { return value_; }  // NOLINT: likewise

  bool operator==(const Stated&) const = default;

 private:
  bool value_;
};

// Who may be evicted at all.
struct EvictionRules {
  // The kubelet's rule: static and mirror pods are exempt. Forgetting it would evict them, or spare
  // them, against the configuration.
  Stated static_pods_are_critical;
  // berth's own switch: false spares pods within their requests, even if nobody else is left.
  bool evict_within_requests = true;

  bool operator==(const EvictionRules&) const = default;
};

[[nodiscard]] std::optional<Exemption> critical_exemption(const api::Pod& pod,
                                                          const EvictionRules& rules);

[[nodiscard]] std::vector<RankedPod> rank_pods(const std::vector<const api::Pod*>& pods,
                                               const PodReadings& readings, Signal signal,
                                               FileSystemLayout layout, const EvictionRules& rules);

// The first pod that is not exempt, or null.
[[nodiscard]] const RankedPod* first_victim(const std::vector<RankedPod>& ranking);

}  // namespace berth::eviction
