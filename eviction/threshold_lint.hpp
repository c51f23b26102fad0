// SPDX-License-Identifier: Apache-2.0

// Eviction settings that are allowed but rarely intended: reported at start, before they do harm.
//
// Pure. Nothing here refuses a setting; the kubelet accepts them all. Each finding names its
// threshold or signal and states in one sentence what will happen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eviction/observations.hpp"
#include "eviction/threshold.hpp"

namespace berth::eviction {

enum class LintKind : std::uint8_t {
  kSoftWithoutGrace,   // acts like a hard threshold
  kSoftNotBeforeHard,  // its signal's hard threshold is met no later, so it never acts first
  kNeverMet,           // a share of 0; for stalls, of all the time
  kMetByAnyStall,      // the slightest memory stall exceeds it
  kNoHardMemory,       // nothing acts at once on memory pressure
  kNoHardDisk,         // entries in evictionHard have replaced the disk defaults
  kNoPids,             // as in Kubernetes' defaults: a fork bomb takes down the node
  kImageGcTooLate,     // pods are evicted before unused images are collected
  kMetNow,             // would act as soon as it is in force
};
[[nodiscard]] std::string_view to_string(LintKind kind);

struct LintFinding {
  LintKind kind{};
  std::optional<Threshold> threshold{};  // unset if the finding is about a missing threshold
  std::string message{};

  bool operator==(const LintFinding&) const = default;
};

struct LintInput {
  std::vector<Threshold> thresholds{};
  // imageGCHighThresholdPercent: unused images are collected from this usage on.
  std::int32_t image_gc_high_percent = 85;
  Observations now{};  // as far as measured
};

[[nodiscard]] std::vector<LintFinding> lint_thresholds(const LintInput& input);

}  // namespace berth::eviction
