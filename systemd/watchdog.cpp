// SPDX-License-Identifier: Apache-2.0

#include "systemd/watchdog.hpp"

namespace berth::systemd {
namespace {

// Twice as often as sd_watchdog_enabled(3) suggests: a part that is late is named at least a
// quarter of the timeout before the service manager acts.
constexpr int kRoundsInTimeout = 4;

}  // namespace

Watchdog::Watchdog(Heartbeats heartbeats, Nanoseconds timeout, Ports ports)
    : interval_(timeout / kRoundsInTimeout),
      ports_(std::move(ports)),
      heartbeats_(std::move(heartbeats)),
      thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    bell_.notify_one();
  }
  thread_.join();
}

void Watchdog::beat(std::string_view part, SteadyTime at) {
  const std::lock_guard lock(mutex_);
  heartbeats_.beat(part, at);
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto round = heartbeats_.round(ports_.now());
    lock.unlock();
    // Feed, note, then say: a disk that hangs does not delay the feeding, and a journal that hangs
    // delays neither the feeding nor the note.
    if (round.feed) ports_.feed();
    if (!round.news.empty()) ports_.note(round.late);
    for (const auto& news : round.news) ports_.say(news);
    lock.lock();
    bell_.wait_for(lock, interval_, [this] { return stopping_; });
  }
}

}  // namespace berth::systemd
