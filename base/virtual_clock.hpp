// SPDX-License-Identifier: Apache-2.0

// Time that moves only on request, for tests and simulation.
//
// Steady and wall time move together; `set_wall` makes the wall clock jump alone. Stepping jumps
// straight to the next deadline, so an hour costs nothing. Equal deadlines fire in the order in
// which they were set, so a run with the same seed takes the same turns.
//
// Owned by the test or the simulation; it outlives its sleepers, and the loop outlives it. A
// sleeper that remains at destruction is destroyed with its coroutine, without being woken.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "base/clock.hpp"

namespace berth {

class VirtualClock final : public Clock {
 public:
  VirtualClock(boost::asio::io_context& loop, WallTime start);
  ~VirtualClock() override;

  [[nodiscard]] SteadyTime steady_now() const override { return steady_; }
  [[nodiscard]] WallTime wall_now() const override { return wall_; }
  [[nodiscard]] boost::asio::awaitable<void> sleep_until(SteadyTime deadline) override;
  [[nodiscard]] Alarm call_at(const boost::asio::any_io_executor& loop, SteadyTime moment,
                              std::function<void()> call) override;

  // The next deadline of a sleeper.
  [[nodiscard]] std::optional<SteadyTime> next_deadline() const;

  // Moves to the next deadline and wakes exactly one sleeper; false if there is no sleeper. The
  // caller must then drain the loop (io_context::restart, poll) before it steps again.
  bool step();

  // Moves time forward without waking any sleeper before `time` is reached; sleepers due by then
  // are woken in order, and the loop is drained after each. Must not be called from within a
  // coroutine.
  void advance_to(SteadyTime time);
  void advance(Nanoseconds duration) { advance_to(steady_ + duration); }

  void set_wall(WallTime wall) { wall_ = wall; }

 private:
  struct Sleeper;
  struct Armed;
  using Key = std::pair<SteadyTime, std::uint64_t>;
  using Sleepers = std::map<Key, std::shared_ptr<Sleeper>>;

  void cancel(const Key& key);
  void move_to(SteadyTime time);
  void wake(Sleepers::iterator place);
  void drain();

  boost::asio::io_context& loop_;
  SteadyTime steady_{};
  WallTime wall_;
  std::uint64_t sequence_ = 0;
  // Shared: an alarm may be released after the clock is destroyed.
  std::shared_ptr<Sleepers> sleepers_ = std::make_shared<Sleepers>();
};

}  // namespace berth
