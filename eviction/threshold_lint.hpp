// What is allowed in a configuration of eviction and rarely meant: told at start, before it hurts.
//
// Pure. Nothing here refuses anything; the kubelet accepts it all. Each finding names the threshold
// or the signal that it is about and says in one sentence what will happen.
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
  kSoftWithoutGrace,   // it acts like a hard one
  kSoftNotBeforeHard,  // the hard one of its signal is met no later: it never acts first
  kNeverMet,           // a share of nothing; of stalls, of all the time
  kMetByAnyStall,      // the least stall of memory is more than it
  kNoHardMemory,       // nothing acts at once when memory runs short
  kNoHardDisk,         // entries in evictionHard have replaced the defaults of disk
  kNoPids,             // as in Kubernetes' defaults: a fork bomb takes the node
  kImageGcTooLate,     // pods are evicted before unused images are collected
  kMetNow,             // it would act as soon as it is in force
};
[[nodiscard]] std::string_view to_string(LintKind kind);

struct LintFinding {
  LintKind kind{};
  std::optional<Threshold> threshold{};  // absent when the finding is that one is missing
  std::string message{};

  bool operator==(const LintFinding&) const = default;
};

struct LintInput {
  std::vector<Threshold> thresholds{};
  // imageGCHighThresholdPercent: from that much use on, unused images are collected.
  std::int32_t image_gc_high_percent = 85;
  Observations now{};  // as far as anything was measured
};

[[nodiscard]] std::vector<LintFinding> lint_thresholds(const LintInput& input);

}  // namespace berth::eviction
