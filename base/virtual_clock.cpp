// SPDX-License-Identifier: Apache-2.0

#include "base/virtual_clock.hpp"

#include <algorithm>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include "base/suspend.hpp"

namespace berth {

struct VirtualClock::Sleeper {
  Waiter waiter{};
  std::weak_ptr<Armed> armed{};  // set for alarms, which have no waiter
};

struct VirtualClock::Armed {
  Armed(std::weak_ptr<Sleepers> all, Key its_key, std::function<void()> its_call)
      : sleepers(std::move(all)), key(its_key), call(std::move(its_call)) {}
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  ~Armed() {
    if (const auto all = sleepers.lock()) all->erase(key);
  }

  std::weak_ptr<Sleepers> sleepers;
  Key key;
  std::function<void()> call;
};

VirtualClock::VirtualClock(boost::asio::io_context& loop, WallTime start)
    : loop_(loop), wall_(start) {}

VirtualClock::~VirtualClock() {
  // Destroying a sleeper destroys its coroutine, which may look at this clock again.
  auto sleepers = std::move(*sleepers_);
  sleepers_->clear();
  sleepers.clear();
}

boost::asio::awaitable<void> VirtualClock::sleep_until(SteadyTime deadline) {
  auto start = [this, deadline](Waiter waiter) {
    if (deadline <= steady_) {
      resume(loop_.get_executor(), std::move(waiter));
      return;
    }
    const Key key{deadline, sequence_++};
    on_cancel(waiter, [this, key] { cancel(key); });
    auto sleeper = std::make_shared<Sleeper>();
    sleeper->waiter = std::move(waiter);
    sleepers_->emplace(key, std::move(sleeper));
  };
  return suspend(std::move(start));
}

Alarm VirtualClock::call_at(const boost::asio::any_io_executor& /*loop*/, SteadyTime moment,
                            std::function<void()> call) {
  const Key key{std::max(moment, steady_), sequence_++};
  auto armed = std::make_shared<Armed>(sleepers_, key, std::move(call));
  auto sleeper = std::make_shared<Sleeper>();
  sleeper->armed = armed;
  const auto place = sleepers_->emplace(key, std::move(sleeper)).first;
  if (moment <= steady_) wake(place);
  return armed;
}

std::optional<SteadyTime> VirtualClock::next_deadline() const {
  if (sleepers_->empty()) return std::nullopt;
  return sleepers_->begin()->first.first;
}

bool VirtualClock::step() {
  if (sleepers_->empty()) return false;
  move_to(sleepers_->begin()->first.first);
  wake(sleepers_->begin());
  return true;
}

void VirtualClock::advance_to(SteadyTime time) {
  drain();
  while (!sleepers_->empty() && sleepers_->begin()->first.first <= time) {
    move_to(sleepers_->begin()->first.first);
    wake(sleepers_->begin());
    drain();
  }
  move_to(time);
}

void VirtualClock::cancel(const Key& key) {
  const auto found = sleepers_->find(key);
  if (found == sleepers_->end()) return;  // already woken
  auto sleeper = std::move(found->second);
  sleepers_->erase(found);
  resume(loop_.get_executor(), std::move(sleeper->waiter), boost::asio::error::operation_aborted);
}

void VirtualClock::move_to(SteadyTime time) {
  if (time <= steady_) return;
  wall_ += time - steady_;
  steady_ = time;
}

void VirtualClock::wake(Sleepers::iterator place) {
  const auto sleeper = sleepers_->extract(place).mapped();
  if (sleeper->waiter) {
    resume(loop_.get_executor(), std::move(sleeper->waiter));
    return;
  }
  boost::asio::post(loop_, [weak = sleeper->armed] {
    if (const auto armed = weak.lock()) armed->call();
  });
}

void VirtualClock::drain() {
  if (loop_.stopped()) loop_.restart();
  loop_.poll();
}

}  // namespace berth
