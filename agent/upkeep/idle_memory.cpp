// SPDX-License-Identifier: Apache-2.0

#include "agent/upkeep/idle_memory.hpp"

#include <malloc.h>

#include <chrono>
#include <cstdint>

namespace berth::agent {
namespace {

// Longer than the pauses within a pod's start or stop.
constexpr auto kQuietFor = std::chrono::seconds(15);

}  // namespace

boost::asio::awaitable<void> give_back_when_quiet(Clock& clock, lifecycle::PodSet& pods) {
  for (;;) {
    std::uint64_t seen = 0;
    do {
      seen = pods.version();
      co_await clock.sleep_for(kQuietFor);
    } while (seen != pods.version());
    static_cast<void>(::malloc_trim(0));
    const auto watch = pods.watch();
    while (watch->poll()) {
    }
    const auto change = co_await watch->next();
    if (!change) co_return;
  }
}

}  // namespace berth::agent
