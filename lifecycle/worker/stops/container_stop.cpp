// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/stops/container_stop.hpp"

#include <algorithm>
#include <chrono>

namespace berth::lifecycle {
namespace {

// The latest instant at which the container can have ended, in unix ns: for an exit restored from a
// status, only the second is known.
std::int64_t finished_by(const cri::ContainerStatus& status) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return status.finished_at + (status.finished_at % kSecond == 0 ? kSecond - 1 : 0);
}

}  // namespace

StopStage ContainerStop::stage() const {
  if (calls.under_way()) return StopStage::kSignalled;
  if (pre_stop && !pre_stop->done_at) return StopStage::kPreStop;
  return in_force ? StopStage::kWaiting : StopStage::kAsked;
}

std::string ContainerStop::message() const {
  return single && !single->message.empty() ? single->message : default_kill_message(name);
}

StopMemory stored_as(const StopPeriod& period, bool reached, const Instant& now) {
  const WallTime begun_at = now.wall - (now.steady - period.begun_at);
  return {.begun_at = begun_at,
          .kill_at = begun_at + std::chrono::seconds(period.seconds),
          .pre_stop = reached};
}

StopPeriod recalled_period(const StopMemory& stop, const Instant& now) {
  const Nanoseconds ago = std::max(now.wall - stop.begun_at, Nanoseconds::zero());
  const Nanoseconds period = stop.kill_at - stop.begun_at;
  return {.begun_at = now.steady - ago,
          .seconds = std::chrono::floor<std::chrono::seconds>(period).count()};
}

bool ended_before(const cri::ContainerStatus& status, const StopInForce& stop, const Instant& now) {
  if (status.finished_at == 0) return false;
  const Nanoseconds passed = now.steady - stop.period.begun_at;
  const Nanoseconds set_back =
      std::max(passed - (now.wall - stop.stored.begun_at), Nanoseconds::zero());
  return finished_by(status) + set_back.count() < cri::unix_nanoseconds(stop.stored.begun_at);
}

}  // namespace berth::lifecycle
