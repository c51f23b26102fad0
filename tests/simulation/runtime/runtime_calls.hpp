// SPDX-License-Identifier: Apache-2.0

// Calls of the simulated runtime on their way: there, through the work, and back; which faults they
// meet, and what a runtime that hangs or is down does with them.
//
// Loop thread only. It must outlive its calls.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/notification.hpp"
#include "cri/runtime.hpp"
#include "tests/simulation/runtime/runtime_world.hpp"

namespace berth::simulation {

class RuntimeCalls {
 public:
  enum class Fate : std::uint8_t { kDone, kRefused, kFailedBefore, kFailedAfter, kLost, kStalled };

  // A call between its caller and its end in the runtime.
  struct Flight {
    explicit Flight(boost::asio::any_io_executor loop) : answer(std::move(loop)) {}
    std::uint64_t number = 0;
    std::string what{};
    Fate fate = Fate::kDone;
    std::optional<Error> error{};  // what the caller gets instead of the result
    bool answered = false;
    bool caller_gone = false;
    bool begun = false;
    bool over = false;  // the runtime does nothing more for it
    std::optional<SteadyTime> deadline{};
    std::function<void()> finish{};
    std::function<void()> undo{};
    Notification answer;
  };
  using FlightPtr = std::shared_ptr<Flight>;

  // What one call does in the runtime. `begin` checks and reserves; `finish`, after `duration`,
  // has the effect; `undo` takes back what begin did. With `ends_itself` nothing is timed: begin
  // sees to it that `complete` is called.
  template <class T>
  struct Order {
    std::string what{};
    Span duration{};
    std::optional<Nanoseconds> limit{};  // how long the caller waits; unset for no limit
    bool ends_itself = false;
    bool query = false;
    std::function<std::optional<Error>(const FlightPtr&)> begin{};
    std::function<Result<T>()> finish{};
    std::function<void()> undo{};
  };

  explicit RuntimeCalls(RuntimeWorld& world) : world_(world) {}

  // An order that only asks, and one that changes something; `finish` is to be set.
  template <class T>
  [[nodiscard]] Order<T> query(std::string what) const;
  template <class T>
  [[nodiscard]] Order<T> change(std::string what, Span duration) const;
  template <class T>
  [[nodiscard]] cri::Call<T> fly(Context context, Order<T> order);
  void complete(const FlightPtr& flight);
  // A runtime that hangs does it when it wakes up.
  void unless_hung(std::function<void()> work);

  void go_down();  // the calls under way are carried out or dropped; every call fails from now on
  void come_up();
  void hang();  // calls are accepted, and not answered until it wakes up
  void wake_up();
  [[nodiscard]] bool is_down() const { return state_ == State::kDown; }
  [[nodiscard]] bool is_hung() const { return state_ == State::kHung; }

  [[nodiscard]] std::uint64_t made() const { return made_; }
  [[nodiscard]] std::size_t in_flight() const { return flights_.size(); }

 private:
  enum class State : std::uint8_t { kUp, kHung, kDown };

  FlightPtr take_off(const std::string& what, std::optional<Nanoseconds> limit,
                     const Context& context, bool query, bool watch_deadline);
  void travel(const FlightPtr& flight, Nanoseconds work, bool ends_itself,
              std::function<std::optional<Error>(const FlightPtr&)> begin);
  void arrive(const FlightPtr& flight, Nanoseconds work, bool ends_itself,
              const std::function<std::optional<Error>(const FlightPtr&)>& begin);
  void refuse(const FlightPtr& flight, Error error);
  void answer(const FlightPtr& flight, std::optional<Error> error);
  boost::asio::awaitable<void> await_answer(FlightPtr flight);
  Fate draw_fate(bool query, bool limited);
  void give_up_at_deadline(const FlightPtr& flight);

  RuntimeWorld& world_;
  State state_ = State::kUp;
  std::uint64_t made_ = 0;
  std::map<std::uint64_t, FlightPtr> flights_{};
  std::vector<std::function<void()>> held_{};  // what a hung runtime does when it wakes up
};

template <class T>
RuntimeCalls::Order<T> RuntimeCalls::query(std::string what) const {
  Order<T> order = change<T>(std::move(what), world_.latencies().query);
  order.query = true;
  return order;
}

template <class T>
RuntimeCalls::Order<T> RuntimeCalls::change(std::string what, Span duration) const {
  return {
      .what = std::move(what), .duration = duration, .limit = world_.latencies().request_timeout};
}

template <class T>
cri::Call<T> RuntimeCalls::fly(Context context, Order<T> order) {
  auto result = std::make_shared<std::optional<Result<T>>>();
  const bool watch = order.ends_itself || context.deadline.has_value();
  auto flight = take_off(order.what, order.limit, context, order.query, watch);
  flight->undo = order.undo;
  flight->finish = [result, finish = order.finish] { result->emplace(finish()); };
  travel(flight, world_.draw(order.duration), order.ends_itself, order.begin);
  co_await await_answer(flight);
  if (flight->error) co_return fail(*flight->error);
  co_return std::move(**result);
}

}  // namespace berth::simulation
