// SPDX-License-Identifier: Apache-2.0

// Random pods, as a manifest folder would hold them: every kind of life that the simulation knows.
//
// Pods carry the defaults that decoding gives them. What a container does is in its command
// (container_program.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/runtime/runtime_faults.hpp"

namespace berth::simulation {

inline constexpr const char* kNodeName = "node1";
inline constexpr const char* kNodeAddress = "192.168.7.1";
inline constexpr const char* kZoneLabel = "sim/zone";
inline constexpr std::int64_t kNodeCpus = 4;
// The node's taint (NoSchedule) in worlds where it has one, and the label that anti-affinity of
// some pods refers to.
inline constexpr const char* kTaint = "sim.example/special";
inline constexpr const char* kGroupLabel = "sim.example/group";
// The ConfigMap that some pods mount and take variables from; its one key holds its version.
inline constexpr const char* kSettings = "settings";
inline constexpr const char* kSettingsKey = "version";
inline constexpr const char* kSettingsFile = "settings.json";

// The folder's priority classes.
inline constexpr const char* kHighClass = "high";
inline constexpr const char* kLowClass = "low";

// The condition that readiness gates of pods wait for, and one that none waits for.
inline constexpr const char* kAttached = "sim.example/attached";
inline constexpr const char* kListed = "sim.example/listed";
inline constexpr const char* kUnasked = "sim.example/unasked";

[[nodiscard]] api::Pod random_pod(Random& random, const std::string& name);
// A pod that runs here as soon as it is started: nothing has to precede its containers.
[[nodiscard]] api::Pod random_takeover(Random& random, const std::string& name);
// The same pod after an edit of its manifest.
[[nodiscard]] api::Pod edited(Random& random, const api::Pod& pod);

// The first: nothing fails. The second: any faults, or none.
[[nodiscard]] RuntimeFaults friendly_faults(Random& random);
[[nodiscard]] RuntimeFaults random_faults(Random& random);
[[nodiscard]] RuntimeLatencies random_latencies(Random& random);

}  // namespace berth::simulation
