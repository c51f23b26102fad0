// SPDX-License-Identifier: Apache-2.0

// The answer of /healthz: whether berthd can do its work, as three checks in the kubelet's words.
//
//   ping      never fails: the server answered
//   log       persistence works: fails when the state file has committed nothing for 30 s although
//             commits were pending
//   syncloop  pods are synced: fails when the container runtime has not answered for 30 s (the
//             kubelet's limit, beyond which its loop stands still), and for a minute after the loop
//             was blocked for 10 s
//
// Short enough for a supervisor to act upon, long enough for a runtime that is being upgraded. The
// loop itself answers, so a blocked loop gives no answer at all. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::agent {

inline constexpr Nanoseconds kRuntimeSilentFor = std::chrono::seconds(30);
inline constexpr Nanoseconds kStoreSilentFor = std::chrono::seconds(30);
inline constexpr Nanoseconds kLoopHeldUpFor = std::chrono::seconds(10);
inline constexpr Nanoseconds kLoopRemembers = std::chrono::minutes(1);

// How late the loop was: a beat is due every kPeriod, and each records its lateness.
class LoopBeat {
 public:
  static constexpr Nanoseconds kPeriod = std::chrono::seconds(5);

  explicit LoopBeat(SteadyTime now) : due_(now + kPeriod) {}

  void beat(SteadyTime now);
  [[nodiscard]] SteadyTime due() const { return due_; }
  // The worst of the last minute; a missing beat counts now.
  [[nodiscard]] Nanoseconds late(SteadyTime now) const;

 private:
  SteadyTime due_;
  Nanoseconds worst_{0};
  SteadyTime worst_at_{};
};

struct HealthInput {
  SteadyTime now{};
  std::string runtime_endpoint{};
  std::optional<SteadyTime> runtime_silent_since{};  // unset if it answered the last call
  std::string runtime_error{};
  std::optional<SteadyTime> store_silent_since{};  // unset if no commit is pending
  std::string store_error{};                       // empty if it has not answered at all
  Nanoseconds loop_late{0};
};

struct HealthCheck {
  std::string name{};
  std::string failure{};  // empty if it passed

  bool operator==(const HealthCheck&) const = default;
};

// ping, log, syncloop.
[[nodiscard]] std::vector<HealthCheck> health_checks(const HealthInput& input);

}  // namespace berth::agent
