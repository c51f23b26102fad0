// SPDX-License-Identifier: Apache-2.0

// One pass of the eviction manager: from the readings to what is to be done.
//
// Pure: (configuration, state, readings, pods, now) → new state, and a decision with all its
// inputs. Pressure evicts at most one pod per pass; exceeded local storage limits may evict
// several, and then pressure waits for the next pass. If the node can reclaim something first, the
// decision names it; the caller reclaims, measures again, and calls decide_after_reclaim.
// Reclaiming may take minutes: passes meanwhile set `reclaiming`, and decide about everything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "eviction/eviction.hpp"
#include "eviction/layout.hpp"
#include "eviction/node_reclaim.hpp"
#include "eviction/pressure.hpp"
#include "eviction/ranking.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

inline constexpr Nanoseconds kDefaultPressureTransitionPeriod = std::chrono::minutes(5);

// Named and defaulted as in KubeletConfiguration, where that has the field.
struct EvictionConfig {
  std::vector<Threshold> thresholds{};
  Nanoseconds pressure_transition_period = kDefaultPressureTransitionPeriod;
  std::int64_t max_pod_grace_period = 0;         // seconds; for soft thresholds
  bool local_storage_capacity_isolation = true;  // enforce limits of local storage
  EvictionRules rules;

  bool operator==(const EvictionConfig&) const = default;
};

// evictionPressureTransitionPeriod: zero means the default.
[[nodiscard]] Nanoseconds transition_period(Nanoseconds configured);

// Carried from pass to pass; initially empty.
struct EvictionState {
  PressureState pressure{};
  std::optional<FileSystemLayout> layout{};  // as first determined

  bool operator==(const EvictionState&) const = default;
};

// The state after a change of thresholds: drops what was known about removed thresholds, so that no
// pod is evicted for them any more. Conditions last for their transition period, except where no
// threshold is left to clear them.
[[nodiscard]] EvictionState state_under(const EvictionConfig& config, EvictionState state);

struct CycleInput {
  const Readings* readings = nullptr;        // null if measuring failed
  std::optional<FileSystemLayout> layout{};  // unset if it could not be determined
  // Active pods, as allocated: those that may be ranked (ranking.hpp).
  std::vector<const api::Pod*> pods{};
  SteadyTime now{};
  // The node is still reclaiming for an earlier pass: due thresholds for which it could reclaim
  // something wait until it has finished, and evict no pod.
  bool reclaiming = false;
};

enum class CycleVerdict : std::uint8_t {
  kNothingConfigured,  // no thresholds, and limits are not enforced
  kNoLayout,           // the location of images is not known yet; nothing was checked
  kNoReadings,         // nothing was checked; the state is unchanged
  kNothingMet,
  // A threshold is met, but its grace period runs, there is no new measurement, or the node is
  // still reclaiming for it.
  kWaiting,
  kLimitsExceeded,   // pods are evicted for exceeding local storage limits
  kReclaimOnNode,    // do `reclaims` first; then call decide_after_reclaim
  kReclaimSufficed,  // no pod needs to be evicted
  kEvict,            // one pod is evicted
  kNobodyEvictable,  // eviction is due, but every pod is exempt
  kNoPods,           // eviction is due, but there are no pods
};
[[nodiscard]] std::string_view to_string(CycleVerdict verdict);

struct CycleDecision {
  EvictionState state{};
  CycleVerdict verdict = CycleVerdict::kNothingMet;
  std::vector<JudgedThreshold> thresholds{};  // all, with their standing
  std::vector<JudgedThreshold> due{};         // by urgency; the first one drives the decision
  // The resource to reclaim: the word in the node's event "Attempting to reclaim …".
  std::optional<StarvedResource> attempted{};
  std::vector<NodeReclaim> reclaims{};
  std::vector<Threshold> unresolved{};  // still met after the node reclaimed what it could
  std::vector<RankedPod> ranking{};
  std::vector<Eviction> evictions{};
};

// The node's event when a threshold is due: Warning, EvictionThresholdMet.
inline constexpr const char* kReasonThresholdMet = "EvictionThresholdMet";
[[nodiscard]] std::string attempt_message(StarvedResource resource);

[[nodiscard]] CycleDecision decide_cycle(const EvictionConfig& config, const EvictionState& before,
                                         const CycleInput& input);

// The pressure for which a decision evicts a pod.
enum class EvictedFor : std::uint8_t {
  kNoPressure,  // no pod is evicted, or pods are evicted for limits of local storage
  kDisk,        // of bytes or inodes
  kOther,       // memory, processes, stalls
};
[[nodiscard]] EvictedFor evicted_for(const CycleDecision& decision);
// Records that nothing is left of the evicted pod from `now` on.
void pod_is_gone(EvictedFor pressure, SteadyTime now, PressureState& state);

// Whether the node could reclaim something for the threshold.
[[nodiscard]] bool is_reclaimable(const Threshold& threshold, FileSystemLayout layout);

// Requires a `decision` with the verdict kReclaimOnNode for `input`, whose reclaims were done,
// successfully or not. `after`: the new measurement; null if measuring failed. Pods are ranked by
// the readings of `input`. Calling it with another decision, or with an input without readings, is
// a bug of the caller.
[[nodiscard]] CycleDecision decide_after_reclaim(const EvictionConfig& config,
                                                 CycleDecision decision, const CycleInput& input,
                                                 const NodeReadings* after);

}  // namespace berth::eviction
