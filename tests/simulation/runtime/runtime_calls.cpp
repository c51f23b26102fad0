// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/runtime_calls.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace berth::simulation {

RuntimeCalls::Fate RuntimeCalls::draw_fate(bool query, bool limited) {
  Random& random = world_.random();
  const RuntimeFaults& faults = world_.faults();
  if (random.chance(faults.refused)) return Fate::kRefused;
  if (random.chance(faults.failed_before)) return Fate::kFailedBefore;
  if (limited && random.chance(faults.answer_lost)) return Fate::kLost;
  if (limited && random.chance(faults.stalled)) return Fate::kStalled;
  if (!query && random.chance(faults.failed_after)) return Fate::kFailedAfter;
  return Fate::kDone;
}

RuntimeCalls::FlightPtr RuntimeCalls::take_off(const std::string& what,
                                               std::optional<Nanoseconds> limit,
                                               const Context& context, bool query,
                                               bool watch_deadline) {
  auto flight = std::make_shared<Flight>(world_.executor());
  flight->number = ++made_;
  flight->what = what;
  flight->fate = is_down() ? Fate::kRefused : draw_fate(query, limit.has_value());
  if (!query || flight->fate != Fate::kDone) {
    static constexpr const char* kWords[] = {"",
                                             "; it will be refused",
                                             "; it will fail before anything is done",
                                             "; it will be done and fail",
                                             "; its answer will be lost",
                                             "; it will stall"};
    world_.say(
        fmt::format("#{} {}{}", flight->number, what, kWords[static_cast<int>(flight->fate)]));
  }
  flights_.emplace(flight->number, flight);
  std::optional<SteadyTime> deadline = context.deadline;
  if (limit) {
    const auto own = world_.now() + *limit;
    deadline = deadline ? std::min(*deadline, own) : own;
  }
  const bool may_be_late =
      watch_deadline || is_hung() || flight->fate == Fate::kLost || flight->fate == Fate::kStalled;
  flight->deadline = deadline;
  if (may_be_late) give_up_at_deadline(flight);
  return flight;
}

void RuntimeCalls::give_up_at_deadline(const FlightPtr& flight) {
  if (!flight->deadline) return;
  world_.after(*flight->deadline - world_.now(), [this, flight] {
    if (flight->answered) return;
    flight->caller_gone = true;
    answer(flight, Error{ErrorCode::kTimeout, flight->what + ": no answer in time"});
  });
}

// From the caller to the runtime, through the work, and back.
void RuntimeCalls::travel(const FlightPtr& flight, Nanoseconds work, bool ends_itself,
                          std::function<std::optional<Error>(const FlightPtr&)> begin) {
  const auto there = world_.draw(world_.latencies().transport);
  const Nanoseconds timeout = world_.latencies().request_timeout;
  if (flight->fate == Fate::kStalled) work += world_.draw({timeout / 2, timeout * 3});
  auto reach = [this, flight, work, ends_itself, begin = std::move(begin)] {
    arrive(flight, work, ends_itself, begin);
  };
  world_.after(there, [this, reach = std::move(reach)] { unless_hung(reach); });
}

void RuntimeCalls::arrive(const FlightPtr& flight, Nanoseconds work, bool ends_itself,
                          const std::function<std::optional<Error>(const FlightPtr&)>& begin) {
  if (flight->over) return;
  if (flight->fate == Fate::kFailedBefore)
    return refuse(flight, {ErrorCode::kUnknown, "something went wrong"});
  if (flight->fate == Fate::kRefused || is_down())
    return refuse(flight, {ErrorCode::kUnavailable, "connection refused"});
  if (auto error = begin ? begin(flight) : std::nullopt) return refuse(flight, *std::move(error));
  flight->begun = true;
  if (!ends_itself) world_.after(work, [this, flight] { complete(flight); });
}

void RuntimeCalls::refuse(const FlightPtr& flight, Error error) {
  flight->over = true;
  flights_.erase(flight->number);
  answer(flight, std::move(error));
}

void RuntimeCalls::unless_hung(std::function<void()> work) {
  if (is_hung())
    held_.push_back(std::move(work));
  else
    work();
}

void RuntimeCalls::complete(const FlightPtr& flight) {
  if (flight->over) return;
  if (is_hung()) return held_.push_back([this, flight] { complete(flight); });
  flight->over = true;
  flights_.erase(flight->number);
  flight->finish();
  if (flight->fate == Fate::kLost) return;
  std::optional<Error> error;
  if (flight->fate == Fate::kFailedAfter) {
    error = Error{world_.random().chance(500) ? ErrorCode::kUnknown : ErrorCode::kUnavailable,
                  "the connection broke"};
  }
  world_.after(world_.draw(world_.latencies().transport),
               [this, flight, error] { answer(flight, error); });
}

void RuntimeCalls::answer(const FlightPtr& flight, std::optional<Error> error) {
  if (flight->answered) return;
  flight->answered = true;
  if (error) {
    world_.say(fmt::format("#{} {} answers {}: {}", flight->number, flight->what,
                           to_string(error->code), error->message));
  }
  flight->error = std::move(error);
  flight->answer.notify();
}

boost::asio::awaitable<void> RuntimeCalls::await_answer(FlightPtr flight) {
  try {
    co_await flight->answer.wait();
  } catch (const boost::system::system_error& error) {
    if (error.code() != boost::asio::error::operation_aborted) throw;
    flight->answered = true;
    flight->caller_gone = true;
    flight->error = Error{ErrorCode::kCancelled, flight->what + ": cancelled"};
  }
}

void RuntimeCalls::go_down() {
  if (is_down()) return;
  world_.say("goes away");
  state_ = State::kDown;
  auto flights = std::exchange(flights_, {});
  for (auto& [number, flight] : flights) {
    if (flight->over) continue;  // a command that ended with its container, by a call before
    flight->over = true;
    // A call that was begun has either just been carried out, or is dropped with its reservations.
    if (flight->begun && world_.random().chance(500)) {
      flight->finish();
    } else if (flight->begun && flight->undo) {
      flight->undo();
    }
    answer(flight, Error{ErrorCode::kUnavailable, "connection reset"});
  }
  held_.clear();
}

void RuntimeCalls::come_up() {
  if (!is_down()) return;
  world_.say("is back");
  state_ = State::kUp;
}

void RuntimeCalls::hang() {
  if (state_ != State::kUp) return;
  world_.say("hangs");
  state_ = State::kHung;
  for (const auto& [number, flight] : flights_) give_up_at_deadline(flight);
}

void RuntimeCalls::wake_up() {
  if (!is_hung()) return;
  world_.say("answers again");
  state_ = State::kUp;
  for (const auto& work : std::exchange(held_, {})) work();
}

}  // namespace berth::simulation
