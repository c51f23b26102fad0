// SPDX-License-Identifier: Apache-2.0

// The eviction of one pod: its grace period, the texts of its status and event, and the threshold
// or limit that caused it.
//
// Pure. Texts and annotations are the kubelet's, so that tools which parse them keep working: each
// sentence ends in a space. For berth's own signals the threshold's sentence names the signal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/pod.hpp"
#include "eviction/pod_reference.hpp"
#include "eviction/pressure.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

inline constexpr const char* kPhaseFailed = "Failed";
inline constexpr const char* kReasonEvicted = "Evicted";

// Kubernetes gives a pod one second if a hard threshold or a limit is the cause.
inline constexpr std::int64_t kImmediateGraceSeconds = 1;

enum class LocalStorageLimit : std::uint8_t { kEmptyDir, kPod, kContainer };
// The value of the label eviction_signal of the kubelet's metrics: emptydirfs.limit, …
[[nodiscard]] std::string_view to_string(LocalStorageLimit limit);

// A local storage limit that a pod has exceeded.
struct ExceededLimit {
  LocalStorageLimit limit{};
  std::string name{};  // of the volume or the container
  api::Quantity allowed{};
  api::Quantity used{};

  bool operator==(const ExceededLimit&) const = default;
};

using EvictionCause = std::variant<JudgedThreshold, ExceededLimit>;

struct Eviction {
  PodReference pod{};
  EvictionCause cause{};
  std::int64_t grace_period_override = kImmediateGraceSeconds;  // seconds
  // Phase, reason and message of the pod's status.
  std::string_view phase = kPhaseFailed;
  std::string_view reason = kReasonEvicted;
  std::string message{};
  std::map<std::string, std::string> annotations{};  // of the pod's event Evicted
  std::optional<api::PodCondition> condition{};      // DisruptionTarget; unset for local storage

  bool operator==(const Eviction&) const = default;
};

// The signal that metrics report as the cause: memory.available, emptydirfs.limit, …
[[nodiscard]] std::string_view metric_signal(const Eviction& eviction);

// Text and annotations for evicting a given pod for a given resource. The text quotes the first
// threshold in `quoted` with the same resource and an observation.
struct EvictionText {
  std::string message{};
  std::map<std::string, std::string> annotations{};

  bool operator==(const EvictionText&) const = default;
};
[[nodiscard]] EvictionText eviction_text(const api::Pod& pod, const PodReading* reading,
                                         StarvedResource resource,
                                         const std::vector<JudgedThreshold>& quoted);

// For a soft threshold, the shorter of the node's maximum and the pod's own period, even if that is
// zero (the pod worker makes it one second). For a hard one, one second.
[[nodiscard]] std::int64_t grace_period_override(const api::Pod& pod, const Threshold& threshold,
                                                 std::int64_t max_pod_grace_period);

// How long to wait for the pod's end before it is reported as late: one and a half times the grace
// period (in seconds), and at least ten seconds, which leave the runtime time for its own calls.
[[nodiscard]] Nanoseconds kill_timeout(std::int64_t grace_period);

// `quoted`: in eviction order; the first one drives the eviction.
[[nodiscard]] Eviction pressure_eviction(const api::Pod& pod, const PodReading* reading,
                                         const std::vector<JudgedThreshold>& quoted,
                                         std::int64_t max_pod_grace_period);

}  // namespace berth::eviction
