// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/runtime_world.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace berth::simulation {

RuntimeWorld::RuntimeWorld(boost::asio::any_io_executor loop, Clock& clock,
                           const RuntimeSetup& setup)
    : loop_(loop),
      clock_(clock),
      random_(setup.random),
      faults_(setup.faults),
      latencies_(setup.latencies),
      trace_(setup.trace),
      witness_(setup.witness == nullptr ? silent_ : *setup.witness),
      tasks_(loop, [](std::string_view, std::exception_ptr) {
        std::fputs("simulated runtime: an exception escaped\n", stderr);
        std::abort();
      }) {}

boost::asio::awaitable<void> RuntimeWorld::shutdown() {
  tasks_.request_stop();
  co_await tasks_.join();
}

void RuntimeWorld::say(const std::string& what) {
  if (trace_ != nullptr) trace_->line(clock_.steady_now(), "runtime", what);
}

void RuntimeWorld::after(Nanoseconds delay, std::function<void()> work) {
  tasks_.spawn({}, run_at(clock_.steady_now() + delay, std::move(work)));
}

boost::asio::awaitable<void> RuntimeWorld::run_at(SteadyTime at, std::function<void()> work) {
  co_await clock_.sleep_until(at);
  work();
}

}  // namespace berth::simulation
