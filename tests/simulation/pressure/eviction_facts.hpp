// SPDX-License-Identifier: Apache-2.0

// The kubelet's rules on which pods are evicted first and which are exempt, implemented
// independently for the checks, from the measurements.
//
// Pure.
#pragma once

#include <array>
#include <cstdint>

#include "eviction/layout.hpp"
#include "eviction/ranking.hpp"
#include "eviction/readings.hpp"

namespace berth::simulation {

// Exempt by the rules, or by its priority; every pod of a manifest folder is static.
[[nodiscard]] bool is_exempt(const api::Pod& pod, const eviction::EvictionRules& rules);

// Whether it uses more of the signal's resource than it requested. `reading`: null if it has none.
[[nodiscard]] bool exceeds_request(const api::Pod& pod, const eviction::PodReading* reading,
                                   eviction::Signal signal, eviction::FileSystemLayout layout);

// Whether it stores more than the limits of its volumes, of its containers together, or of one of
// them allow.
[[nodiscard]] bool exceeds_a_limit(const api::Pod& pod, const eviction::PodReading& reading,
                                   eviction::FileSystemLayout layout);

// The pod with the smallest rank is evicted first.
using Rank = std::array<std::int64_t, 4>;
[[nodiscard]] Rank rank_of(const api::Pod& pod, const eviction::PodReading* reading,
                           eviction::Signal signal, eviction::FileSystemLayout layout);

}  // namespace berth::simulation
