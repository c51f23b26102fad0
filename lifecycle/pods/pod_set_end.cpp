// SPDX-License-Identifier: Apache-2.0

// PodSet: ends with berthd, while the pods go on running.
#include "lifecycle/pods/pod_set.hpp"

#include <chrono>

namespace berth::lifecycle {
namespace {

// systemd waits longer (TimeoutStopSec=90s); a responsive runtime needs less.
constexpr auto kStartsWaitedFor = std::chrono::seconds(10);

}  // namespace

boost::asio::awaitable<void> PodSet::finish_starts() {
  const SteadyTime limit = services_.clock->steady_now() + kStartsWaitedFor;
  const bool finished = co_await workers_.finish_starts(limit);
  if (finished) co_return;
  services_.log->warn("StartsUnfinished",
                      "the container runtime has not answered what it was asked to start; the next "
                      "berthd looks what became of it");
}

boost::asio::awaitable<void> PodSet::stop() {
  tasks_.request_stop();
  workers_.request_stop();
  co_await tasks_.join();
  co_await workers_.join();
  views_.end();
}

}  // namespace berth::lifecycle
