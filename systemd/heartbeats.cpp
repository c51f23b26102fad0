// SPDX-License-Identifier: Apache-2.0

#include "systemd/heartbeats.hpp"

#include <algorithm>
#include <chrono>

namespace berth::systemd {
namespace {

std::string seconds(Nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

Heartbeats::Heartbeats(std::vector<WatchedPart> parts, Nanoseconds timeout, SteadyTime start)
    : timeout_(timeout) {
  for (auto& part : parts) parts_.push_back({.watched = std::move(part), .last = start});
}

void Heartbeats::beat(std::string_view part, SteadyTime at) {
  for (auto& known : parts_)
    if (known.watched.name == part) known.last = std::max(known.last, at);
}

Heartbeats::Round Heartbeats::round(SteadyTime now) {
  Round round{.feed = true};
  for (auto& part : parts_) {
    const Nanoseconds silent = now - part.last;
    const bool was_late = part.late;
    part.late = silent > part.watched.limit;
    if (part.late) round.feed = false;
    const std::string silence = part.watched.name + " has made no progress for " + seconds(silent);
    if (part.late) round.late += (round.late.empty() ? "" : "; ") + silence;
    if (part.late && !was_late) {
      round.news.push_back(
          {.part = part.watched.name,
           .late = true,
           .text = "watchdog: " + silence + ", " + seconds(part.watched.limit) +
                   " at most are allowed; the service manager aborts berthd within " +
                   seconds(timeout_) + " unless it goes on"});
    }
    if (!part.late && was_late)
      round.news.push_back({.part = part.watched.name,
                            .text = "watchdog: " + part.watched.name + " makes progress again"});
  }
  return round;
}

}  // namespace berth::systemd
