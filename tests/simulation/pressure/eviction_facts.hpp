// SPDX-License-Identifier: Apache-2.0

// The kubelet's rules of who goes first and who does not go at all, worked out anew for the checks
// from what was measured.
//
// Pure.
#pragma once

#include <array>
#include <cstdint>

#include "eviction/layout.hpp"
#include "eviction/ranking.hpp"
#include "eviction/readings.hpp"

namespace berth::simulation {

// By the rules, or by its priority; every pod of a folder is static.
[[nodiscard]] bool is_exempt(const api::Pod& pod, const eviction::EvictionRules& rules);

// It uses more of what the signal is about than it requested. `reading`: null if it has none.
[[nodiscard]] bool exceeds_request(const api::Pod& pod, const eviction::PodReading* reading,
                                   eviction::Signal signal, eviction::FileSystemLayout layout);

// The smallest goes first.
using Rank = std::array<std::int64_t, 4>;
[[nodiscard]] Rank rank_of(const api::Pod& pod, const eviction::PodReading* reading,
                           eviction::Signal signal, eviction::FileSystemLayout layout);

}  // namespace berth::simulation
