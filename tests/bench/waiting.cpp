// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/waiting.hpp"

#include <algorithm>
#include <csignal>

#include "base/real_clock.hpp"

namespace berth::bench {
namespace {

using namespace std::chrono_literals;

// A signal does not wake a waiter here, so it polls at this interval.
constexpr Nanoseconds kLookAgain = 100ms;

// A signal handler may access nothing else.
volatile std::sig_atomic_t interrupted = 0;

void note_signal(int) {
  interrupted = 1;
}

}  // namespace

Waiting::Waiting() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void Waiting::notify() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

bool Waiting::until(const std::function<bool()>& come, Nanoseconds limit) {
  const RealClock clock;
  const SteadyTime deadline = clock.steady_now() + limit;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (interrupted != 0) throw Interrupted();
    if (come()) return true;
    const SteadyTime now = clock.steady_now();
    if (now >= deadline) return false;
    changed_.wait_until(lock, std::min(deadline, now + kLookAgain));
  }
}

void Waiting::pause(Nanoseconds length) {
  until([] { return false; }, length);
}

}  // namespace berth::bench
