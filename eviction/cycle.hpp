// One look of the eviction manager: what was measured, and what is to be done about it.
//
// Pure: (configuration, what was known, readings, pods, now) → what is known, and a decision with
// everything that it was taken from. At most one pod goes for pressure; exceeded limits of local
// storage may send several, and then pressure waits for the next look. Where the node can give
// something up first, the decision says what; whoever carries that out measures again and asks
// decide_after_reclaim how to go on.
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

// Field names of KubeletConfiguration where it has one; its defaults.
struct EvictionConfig {
  std::vector<Threshold> thresholds{};
  Nanoseconds pressure_transition_period = kDefaultPressureTransitionPeriod;
  std::int64_t max_pod_grace_period = 0;         // seconds; for soft thresholds
  bool local_storage_capacity_isolation = true;  // limits of local storage are enforced
  EvictionRules rules;

  bool operator==(const EvictionConfig&) const = default;
};

// evictionPressureTransitionPeriod: zero stands for the default.
[[nodiscard]] Nanoseconds transition_period(Nanoseconds configured);

// Carried from look to look; empty at first. After a change of thresholds, `pressure.due` keeps an
// old one only as long as its minimum reclaim is not gained.
struct EvictionState {
  PressureState pressure{};
  std::optional<FileSystemLayout> layout{};  // as first found

  bool operator==(const EvictionState&) const = default;
};

struct CycleInput {
  const Readings* readings = nullptr;        // null when measuring failed
  std::optional<FileSystemLayout> layout{};  // absent when it could not be found
  // Those that are active, in the form in which they are allocated: not ended, but those that are
  // terminating count.
  std::vector<const api::Pod*> pods{};
  SteadyTime now{};
};

enum class CycleVerdict : std::uint8_t {
  kNothingConfigured,  // no thresholds, and limits are not enforced
  kNoLayout,           // where images live is not known yet; nothing was looked at
  kNoReadings,         // nothing was looked at, what was known stays
  kNothingMet,
  kWaiting,          // something is met; a grace period runs, or nothing was measured anew
  kLimitsExceeded,   // pods go for exceeding limits of local storage
  kReclaimOnNode,    // first what `reclaims` says; then decide_after_reclaim
  kReclaimSufficed,  // nobody has to go
  kEvict,            // one pod goes
  kNobodyEvictable,  // somebody should, but every pod is exempt
  kNoPods,           // somebody should, but there is none
};
[[nodiscard]] std::string_view to_string(CycleVerdict verdict);

struct CycleDecision {
  EvictionState state{};
  CycleVerdict verdict = CycleVerdict::kNothingMet;
  std::vector<JudgedThreshold> thresholds{};  // as each stands
  std::vector<JudgedThreshold> due{};         // in the order of urgency; the first one drives
  // What is to be gained: the word of the node's event "Attempting to reclaim …".
  std::optional<StarvedResource> attempted{};
  std::vector<NodeReclaim> reclaims{};
  std::vector<Threshold> unresolved{};  // still met after the node gave up what it could
  std::vector<RankedPod> ranking{};
  std::vector<Eviction> evictions{};
};

// The node's event when something is due: Warning, EvictionThresholdMet.
inline constexpr const char* kReasonThresholdMet = "EvictionThresholdMet";
[[nodiscard]] std::string attempt_message(StarvedResource resource);

[[nodiscard]] CycleDecision decide_cycle(const EvictionConfig& config, const EvictionState& before,
                                         const CycleInput& input);

// `decision` had the verdict kReclaimOnNode for `input`, and its reclaims were done, whether they
// worked or not. `after`: measured again; null: could not be. Pods are ranked by the first
// readings. Another decision, or an input without readings, is a bug of the caller.
[[nodiscard]] CycleDecision decide_after_reclaim(const EvictionConfig& config,
                                                 CycleDecision decision, const CycleInput& input,
                                                 const NodeReadings* after);

}  // namespace berth::eviction
