// The eviction of one pod: how long it has, what its status and the event say, and what decided it.
//
// Pure. Texts and annotations are the kubelet's, so that tools which read them go on working: each
// sentence ends in a space. Of berth's own signals the threshold's sentence speaks of the signal.
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

// Kubernetes gives a pod one second where a hard threshold or a limit is the cause.
inline constexpr std::int64_t kImmediateGraceSeconds = 1;

enum class LocalStorageLimit : std::uint8_t { kEmptyDir, kPod, kContainer };
// The label eviction_signal of the kubelet's metrics: emptydirfs.limit, …
[[nodiscard]] std::string_view to_string(LocalStorageLimit limit);

// A limit on local storage that a pod has exceeded.
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
  // The pod's status: phase, reason, message.
  std::string_view phase = kPhaseFailed;
  std::string_view reason = kReasonEvicted;
  std::string message{};
  std::map<std::string, std::string> annotations{};  // of the event Evicted on the pod
  std::optional<api::PodCondition> condition{};      // DisruptionTarget; none of local storage

  bool operator==(const Eviction&) const = default;
};

// The signal that counts as the cause in metrics: memory.available, emptydirfs.limit, …
[[nodiscard]] std::string_view metric_signal(const Eviction& eviction);

// Text and annotations, as if that pod were chosen for that resource. `quoted`: the first of them
// with the same resource and an observation is the one that the text quotes.
struct EvictionText {
  std::string message{};
  std::map<std::string, std::string> annotations{};

  bool operator==(const EvictionText&) const = default;
};
[[nodiscard]] EvictionText eviction_text(const api::Pod& pod, const PodReading* reading,
                                         StarvedResource resource,
                                         const std::vector<JudgedThreshold>& quoted);

// What a soft threshold leaves a pod: the node's maximum or the pod's own period, whichever is
// shorter, even if that is zero (the pod worker makes it one second). Of a hard one: one second.
[[nodiscard]] std::int64_t grace_period_override(const api::Pod& pod, const Threshold& threshold,
                                                 std::int64_t max_pod_grace_period);

// `quoted`: in eviction order, its first one drives.
[[nodiscard]] Eviction pressure_eviction(const api::Pod& pod, const PodReading* reading,
                                         const std::vector<JudgedThreshold>& quoted,
                                         std::int64_t max_pod_grace_period);

}  // namespace berth::eviction
