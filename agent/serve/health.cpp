// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/health.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace berth::agent {
namespace {

std::string seconds(Nanoseconds time) {
  return fmt::format("{} s", std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

std::string store_failure(const HealthInput& input) {
  if (!input.store_silent_since) return {};
  const Nanoseconds silent = input.now - *input.store_silent_since;
  if (silent < kStoreSilentFor) return {};
  return fmt::format("logging blocked: the state file has taken nothing for {}: {}",
                     seconds(silent),
                     input.store_error.empty() ? "the disk does not answer" : input.store_error);
}

std::string loop_failure(const HealthInput& input) {
  constexpr const char* kKubelets = "sync Loop took longer than expected";
  if (input.loop_late >= kLoopHeldUpFor) {
    return fmt::format("{}: within the last minute it was held up for {}", kKubelets,
                       seconds(input.loop_late));
  }
  if (!input.runtime_silent_since) return {};
  const Nanoseconds silent = input.now - *input.runtime_silent_since;
  if (silent < kRuntimeSilentFor) return {};
  return fmt::format("{}: the container runtime at {} has not answered for {}: {}", kKubelets,
                     input.runtime_endpoint, seconds(silent), input.runtime_error);
}

}  // namespace

void LoopBeat::beat(SteadyTime now) {
  const Nanoseconds late = now - due_;
  if (late >= worst_ || now - worst_at_ > kLoopRemembers) {
    worst_ = late;
    worst_at_ = now;
  }
  due_ = now + kPeriod;
}

Nanoseconds LoopBeat::late(SteadyTime now) const {
  const Nanoseconds remembered = now - worst_at_ > kLoopRemembers
                                     ? Nanoseconds::zero()
                                     : std::max(worst_, Nanoseconds::zero());
  return std::max(remembered, Nanoseconds(now - due_));
}

std::vector<HealthCheck> health_checks(const HealthInput& input) {
  return {{.name = "ping", .failure = {}},
          {.name = "log", .failure = store_failure(input)},
          {.name = "syncloop", .failure = loop_failure(input)}};
}

}  // namespace berth::agent
