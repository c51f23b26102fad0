// What /healthz says: whether berthd can do its work, as three checks in the kubelet's words.
//
//   ping      never fails: somebody answered
//   log       what has to be written down is written: fails when the state file has taken nothing
//             for 30 s that was to be committed
//   syncloop  pods are looked after: fails when the container runtime has not answered for 30 s
//             (from when on a kubelet calls it down; without it its loop stands still, too), and
//             for a minute after the loop was held up for 10 s
//
// Short enough for a supervisor to act upon, long enough for a runtime that is being upgraded. Who
// asks is answered by the loop itself: while it is held up there is no answer, which is the truth,
// too. Pure.
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

// How late the loop was: it is due to beat every kPeriod, and each time says when it did.
class LoopBeat {
 public:
  static constexpr Nanoseconds kPeriod = std::chrono::seconds(5);

  explicit LoopBeat(SteadyTime now) : due_(now + kPeriod) {}

  void beat(SteadyTime now);
  [[nodiscard]] SteadyTime due() const { return due_; }
  // The worst of the last minute; a beat that is missing now counts.
  [[nodiscard]] Nanoseconds late(SteadyTime now) const;

 private:
  SteadyTime due_;
  Nanoseconds worst_{0};
  SteadyTime worst_at_{};
};

struct HealthInput {
  SteadyTime now{};
  std::string runtime_endpoint{};
  std::optional<SteadyTime> runtime_silent_since{};  // none: it answered when asked last
  std::string runtime_error{};
  std::optional<SteadyTime> store_silent_since{};  // none: nothing is left to be committed
  std::string store_error{};                       // empty: it has not answered at all
  Nanoseconds loop_late{0};
};

struct HealthCheck {
  std::string name{};
  std::string failure{};  // empty: it holds

  bool operator==(const HealthCheck&) const = default;
};

// ping, log, syncloop.
[[nodiscard]] std::vector<HealthCheck> health_checks(const HealthInput& input);

}  // namespace berth::agent
