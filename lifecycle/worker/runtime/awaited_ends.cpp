// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/awaited_ends.hpp"

#include <algorithm>
#include <chrono>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kFirstAsk = 2ms;
constexpr Nanoseconds kSlowestAsk = 100ms;
constexpr Nanoseconds kAskFor = 10s;

}  // namespace

AwaitedEnds::End& AwaitedEnds::awaited(const std::string& id, SteadyTime ask_at, SteadyTime now) {
  const End fresh{.ask_at = ask_at, .delay = kFirstAsk, .give_up_at = now + kAskFor};
  return ends_.try_emplace(id, fresh).first->second;
}

void AwaitedEnds::expect(const std::string& id, SteadyTime now) {
  static_cast<void>(awaited(id, now, now));
}

void AwaitedEnds::expect_after_event(const std::string& id, SteadyTime now, bool ahead) {
  awaited(id, ahead ? now + kFirstAsk : now, now).by_event = true;
}

bool AwaitedEnds::ask_later(const std::string& id, SteadyTime now) {
  const auto end = ends_.find(id);
  if (end == ends_.end()) return true;
  if (end->second.give_up_at <= now) {
    ends_.erase(end);
    return false;
  }
  end->second.ask_at = now + end->second.delay;
  end->second.delay = std::min(end->second.delay * 2, kSlowestAsk);
  return true;
}

std::optional<SteadyTime> AwaitedEnds::ask_at(const std::string& id) const {
  const auto end = ends_.find(id);
  return end == ends_.end() ? std::nullopt : std::optional(end->second.ask_at);
}

bool AwaitedEnds::by_event(const std::string& id) const {
  const auto end = ends_.find(id);
  return end != ends_.end() && end->second.by_event;
}

}  // namespace berth::lifecycle
