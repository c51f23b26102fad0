// SPDX-License-Identifier: Apache-2.0

// Eviction thresholds in the form of the configuration: maps from a signal's name to an amount.
//
//   evictionHard:             memory.available: 100Mi, nodefs.available: 10%
//   evictionSoft:             memory.available: 300Mi
//   evictionSoftGracePeriod:  memory.available: 1m30s
//   evictionMinimumReclaim:   memory.available: 50Mi
//
// Pure. The rules and error texts are the kubelet's; where the kubelet stops at the first problem,
// all are reported. Common surprises: exactly "0%" or "100%" drops the threshold (that is how a
// default is disabled), the quantity "0" is an error, and evictionHard with any entry (or none at
// all: {}) replaces all defaults unless they are to be merged.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "eviction/threshold.hpp"

namespace berth::eviction {

using SignalValues = std::map<std::string, std::string>;  // by the signal's name

struct ThresholdSettings {
  SignalValues evictionHard{};
  SignalValues evictionSoft{};
  SignalValues evictionSoftGracePeriod{};
  SignalValues evictionMinimumReclaim{};
  // "pods" is in enforceNodeAllocatable: each hard memory.available applies to the pods' cgroup as
  // well, as allocatableMemory.available.
  bool enforce_pods_allocatable = false;
  // berth's own signals are allowed; the kubelet's configuration knows only Kubernetes'.
  bool own_signals = false;
};

struct SettingProblem {
  std::string field{};   // evictionHard, evictionSoft, …
  std::string signal{};  // the key below it, as written
  std::string message{};

  bool operator==(const SettingProblem&) const = default;
};

// Hard thresholds first, then soft ones, each by name; those implied by enforce_pods_allocatable
// last.
[[nodiscard]] std::expected<std::vector<Threshold>, std::vector<SettingProblem>> parse_thresholds(
    const ThresholdSettings& settings);

// The same thresholds with, or without, those implied by enforcing the limit of all pods.
[[nodiscard]] std::vector<Threshold> with_allocatable(std::vector<Threshold> thresholds,
                                                      bool enforce_pods_allocatable);

// The evictionHard that applies if nothing is configured: Kubernetes' defaults on Linux.
[[nodiscard]] const SignalValues& default_eviction_hard();

// The value of mergeDefaultEvictionSettings.
enum class DefaultsUse : std::uint8_t {
  kReplaced,  // any configured map stands alone (false, the default)
  kMerged,    // defaults apply to signals that the map does not name (true)
};

// Unset and empty differ: unset means the defaults, {} means no thresholds (unless merged).
[[nodiscard]] SignalValues effective_eviction_hard(const std::optional<SignalValues>& configured,
                                                   DefaultsUse use);

}  // namespace berth::eviction
