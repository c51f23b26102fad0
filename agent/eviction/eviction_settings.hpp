// SPDX-License-Identifier: Apache-2.0

// The configuration of eviction, resolved.
//
// KubeletConfiguration sets the thresholds of Kubernetes' signals, in the kubelet's fields and
// grammar; BerthConfiguration sets those of berth's own signals, so that a kubelet still accepts
// the first document. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/settings/berth_configuration.hpp"
#include "agent/settings/kubelet_configuration.hpp"
#include "eviction/cycle.hpp"
#include "eviction/threshold_config.hpp"

namespace berth::agent {

// recreateEvicted: what becomes of an evicted pod whose manifest remains.
enum class RecreateEvicted : std::uint8_t { kWhenPressureClears, kNever };
// evictAtOnce: whether a configuration is accepted that would evict a pod at once.
enum class EvictAtOnce : std::uint8_t { kRefuse, kAllow };

struct EvictionSettings {
  eviction::EvictionConfig config{.rules = {.static_pods_are_critical = false}};
  Nanoseconds volume_period = std::chrono::minutes(1);  // volumeStatsAggPeriod; kubelet
  bool enforce_pods_allocatable = true;                 // "pods" in enforceNodeAllocatable; kubelet
  RecreateEvicted recreate = RecreateEvicted::kWhenPressureClears;
  EvictAtOnce at_once = EvictAtOnce::kRefuse;

  bool operator==(const EvictionSettings&) const = default;
};

struct ResolvedEviction {
  EvictionSettings settings{};
  // `field`: as the configuration names it, "evictionHard[memory.available]".
  struct Problem {
    std::string field{};
    std::string message{};
  };
  std::vector<Problem> problems{};
  std::vector<std::string> warnings{};
};

[[nodiscard]] ResolvedEviction resolve_eviction(const KubeletConfiguration& kubelet,
                                                const BerthConfiguration& berth,
                                                bool static_pods_are_critical,
                                                std::int32_t image_gc_high_percent);

}  // namespace berth::agent
