// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/unannounced_end.hpp"

#include <chrono>

#include "systemd/machine_state.hpp"
#include "systemd/notify.hpp"

namespace berth::agent {
namespace {

// Systemd is queried on the loop: berthd has nothing else to do, and whatever delays the pool must
// not delay berthd's end.
constexpr auto kAskWithin = std::chrono::seconds(2);
// The time that berthd needs for its own end, after that of the pods: the unit's TimeoutStopSec.
constexpr auto kOwnEnd = std::chrono::seconds(60);

}  // namespace

boost::asio::awaitable<void> stop_pods_of_a_machine_that_goes_off(NodeShutdown& shutdown,
                                                                  Log& log) {
  const auto& groups = shutdown.configured().groups;
  if (groups.empty()) co_return;
  const auto goes_off = systemd::machine_goes_off(kAskWithin);
  if (!goes_off)
    log.warn("Stopping", goes_off.error().message +
                             "; if the machine is shutting down, the remaining pods are not "
                             "stopped in order");
  if (!goes_off.value_or(false)) co_return;
  systemd::notify_longer(lifecycle::longest_shutdown(groups) + kOwnEnd);
  auto stopping = shutdown.carry_out();
  co_await std::move(stopping);
}

}  // namespace berth::agent
