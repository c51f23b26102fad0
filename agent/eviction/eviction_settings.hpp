// SPDX-License-Identifier: Apache-2.0

// What the configuration says of eviction, resolved.
//
// Thresholds of Kubernetes' signals stand in KubeletConfiguration, in the kubelet's fields and
// grammar; berth's own signals in fields of BerthConfiguration, so that the first document stays
// one that a kubelet takes. Pure.
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
// evictAtOnce: whether a configuration is taken over that would evict somebody at once.
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
  // `field`: as the configuration has it, "evictionHard[memory.available]".
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
