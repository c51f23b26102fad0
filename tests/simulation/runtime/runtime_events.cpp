// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/runtime_events.hpp"

#include <utility>

namespace berth::simulation {

void RuntimeEvents::subscribe() {
  events_.clear();
  subscribed_ = !calls_.is_down();
  mute_ = false;
  if (!subscribed_) return;
  calls_.unless_hung([this] {
    events_.push_back(cri::Event{.type = cri::EventType::kResubscribed, .at = world_.unix_now()});
    rung_.notify();
  });
}

void RuntimeEvents::unsubscribe() {
  subscribed_ = false;
  events_.clear();
}

boost::asio::awaitable<cri::Event> RuntimeEvents::next() {
  while (events_.empty()) co_await rung_.wait();
  auto event = std::move(events_.front());
  events_.pop_front();
  co_return event;
}

void RuntimeEvents::emit(cri::EventType type, const std::string& id,
                         std::optional<std::int32_t> exit_code) {
  cri::Event event{.type = type, .id = id, .at = world_.unix_now()};
  if (have_exit_code_) event.exit_code = exit_code;
  Random& random = world_.random();
  const RuntimeFaults& faults = world_.faults();
  const RuntimeLatencies& latencies = world_.latencies();
  if (random.chance(faults.event_lost)) {
    world_.say("an event is lost");
    return;
  }
  const bool late = random.chance(faults.event_late);
  if (random.chance(faults.event_doubled)) deliver(event, world_.draw(latencies.late_event) / 4);
  deliver(std::move(event), world_.draw(late ? latencies.late_event : latencies.event));
}

void RuntimeEvents::deliver(cri::Event event, Nanoseconds delay) {
  auto arrive = [this, event = std::move(event)] {
    if (!subscribed_ || mute_) return;
    events_.push_back(event);
    rung_.notify();
  };
  world_.after(delay, [this, arrive = std::move(arrive)] { calls_.unless_hung(arrive); });
}

void RuntimeEvents::fall_silent() {
  world_.say("tells no event any more");
  mute_ = true;
}

void RuntimeEvents::speak_again() {
  if (std::exchange(mute_, false)) world_.say("tells its events again");
}

}  // namespace berth::simulation
