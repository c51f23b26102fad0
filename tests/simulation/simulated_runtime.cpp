// SPDX-License-Identifier: Apache-2.0

// The engine: how a call is carried out, which faults it meets, events, restarts of the runtime.
#include "tests/simulation/simulated_runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/core.h>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace berth::simulation {

SimulatedRuntime::SimulatedRuntime(boost::asio::any_io_executor loop, Clock& clock,
                                   RuntimeSetup setup)
    : loop_(loop),
      clock_(clock),
      random_(setup.random),
      faults_(setup.faults),
      latencies_(setup.latencies),
      trace_(setup.trace),
      witness_(setup.witness == nullptr ? silent_ : *setup.witness),
      events_have_exit_code_(setup.events_have_exit_code),
      name_(setup.name),
      tasks_(loop,
             [](std::string_view, std::exception_ptr) {
               std::fputs("simulated runtime: an exception escaped\n", stderr);
               std::abort();
             }),
      events_rung_(loop) {}

SimulatedRuntime::~SimulatedRuntime() = default;

boost::asio::awaitable<void> SimulatedRuntime::shutdown() {
  tasks_.request_stop();
  co_await tasks_.join();
}

void SimulatedRuntime::say(const std::string& what) {
  if (trace_ != nullptr) trace_->line(clock_.steady_now(), "runtime", what);
}

void SimulatedRuntime::after(Nanoseconds delay, std::function<void()> work) {
  tasks_.spawn({}, run_at(clock_.steady_now() + delay, std::move(work)));
}

boost::asio::awaitable<void> SimulatedRuntime::run_at(SteadyTime at, std::function<void()> work) {
  co_await clock_.sleep_until(at);
  work();
}

SimulatedRuntime::Fate SimulatedRuntime::draw_fate(bool query, bool limited) {
  if (random_.chance(faults_.refused)) return Fate::kRefused;
  if (random_.chance(faults_.failed_before)) return Fate::kFailedBefore;
  if (limited && random_.chance(faults_.answer_lost)) return Fate::kLost;
  if (limited && random_.chance(faults_.stalled)) return Fate::kStalled;
  if (!query && random_.chance(faults_.failed_after)) return Fate::kFailedAfter;
  return Fate::kDone;
}

SimulatedRuntime::FlightPtr SimulatedRuntime::take_off(const std::string& what,
                                                       std::optional<Nanoseconds> limit,
                                                       const Context& context, bool query,
                                                       bool watch_deadline) {
  auto flight = std::make_shared<Flight>(loop_);
  flight->number = ++calls_;
  flight->what = what;
  flight->fate = down_ ? Fate::kRefused : draw_fate(query, limit.has_value());
  if (!query || flight->fate != Fate::kDone) {
    static constexpr const char* kWords[] = {"",
                                             "; it will be refused",
                                             "; it will fail before anything is done",
                                             "; it will be done and fail",
                                             "; its answer will be lost",
                                             "; it will stall"};
    say(fmt::format("#{} {}{}", flight->number, what, kWords[static_cast<int>(flight->fate)]));
  }
  flights_.emplace(flight->number, flight);
  std::optional<SteadyTime> deadline = context.deadline;
  if (limit) {
    const auto own = clock_.steady_now() + *limit;
    deadline = deadline ? std::min(*deadline, own) : own;
  }
  const bool may_be_late =
      watch_deadline || hung_ || flight->fate == Fate::kLost || flight->fate == Fate::kStalled;
  flight->deadline = deadline;
  if (may_be_late) give_up_at_deadline(flight);
  return flight;
}

void SimulatedRuntime::give_up_at_deadline(const FlightPtr& flight) {
  if (!flight->deadline) return;
  after(*flight->deadline - clock_.steady_now(), [this, flight] {
    if (flight->answered) return;
    flight->caller_gone = true;
    answer(flight, Error{ErrorCode::kTimeout, flight->what + ": no answer in time"});
  });
}

// From the caller to the runtime, through the work, and back.
void SimulatedRuntime::travel(const FlightPtr& flight, Nanoseconds work, bool ends_itself,
                              std::function<std::optional<Error>(const FlightPtr&)> begin) {
  const auto there = draw(latencies_.transport);
  if (flight->fate == Fate::kStalled)
    work += draw({latencies_.request_timeout / 2, latencies_.request_timeout * 3});
  auto arrive = [this, flight, work, ends_itself, begin = std::move(begin)] {
    if (flight->over) return;
    if (flight->fate == Fate::kRefused || flight->fate == Fate::kFailedBefore || down_) {
      flight->over = true;
      flights_.erase(flight->number);
      const bool refused = flight->fate != Fate::kFailedBefore;
      answer(flight, Error{refused ? ErrorCode::kUnavailable : ErrorCode::kUnknown,
                           refused ? "connection refused" : "something went wrong"});
      return;
    }
    if (auto error = begin ? begin(flight) : std::nullopt) {
      flight->over = true;
      flights_.erase(flight->number);
      answer(flight, std::move(error));
      return;
    }
    flight->begun = true;
    if (!ends_itself) after(work, [this, flight] { complete(flight); });
  };
  after(there, [this, arrive = std::move(arrive)] { unless_hung(arrive); });
}

void SimulatedRuntime::unless_hung(std::function<void()> work) {
  if (hung_)
    held_.push_back(std::move(work));
  else
    work();
}

void SimulatedRuntime::complete(const FlightPtr& flight) {
  if (flight->over) return;
  if (hung_) return held_.push_back([this, flight] { complete(flight); });
  flight->over = true;
  flights_.erase(flight->number);
  flight->finish();
  if (flight->fate == Fate::kLost) return;
  std::optional<Error> error;
  if (flight->fate == Fate::kFailedAfter) {
    error = Error{random_.chance(500) ? ErrorCode::kUnknown : ErrorCode::kUnavailable,
                  "the connection broke"};
  }
  after(draw(latencies_.transport), [this, flight, error] { answer(flight, error); });
}

void SimulatedRuntime::answer(const FlightPtr& flight, std::optional<Error> error) {
  if (flight->answered) return;
  flight->answered = true;
  if (error) {
    say(fmt::format("#{} {} answers {}: {}", flight->number, flight->what, to_string(error->code),
                    error->message));
  }
  flight->error = std::move(error);
  flight->answer.notify();
}

boost::asio::awaitable<void> SimulatedRuntime::await_answer(FlightPtr flight) {
  try {
    co_await flight->answer.wait();
  } catch (const boost::system::system_error& error) {
    if (error.code() != boost::asio::error::operation_aborted) throw;
    flight->answered = true;
    flight->caller_gone = true;
    flight->error = Error{ErrorCode::kCancelled, flight->what + ": cancelled"};
  }
}

void SimulatedRuntime::go_down() {
  if (down_) return;
  say("goes away");
  down_ = true;
  subscribed_ = false;
  events_.clear();
  auto flights = std::exchange(flights_, {});
  for (auto& [number, flight] : flights) {
    flight->over = true;
    // A call that was begun has either just been carried out, or is dropped with its reservations.
    if (flight->begun && random_.chance(500)) {
      flight->finish();
    } else if (flight->begun && flight->undo) {
      flight->undo();
    }
    answer(flight, Error{ErrorCode::kUnavailable, "connection reset"});
  }
  exit_waiters_.clear();
  hung_ = false;
  held_.clear();
}

void SimulatedRuntime::hang() {
  if (down_ || hung_) return;
  say("hangs");
  hung_ = true;
  for (const auto& [number, flight] : flights_) give_up_at_deadline(flight);
}

void SimulatedRuntime::wake_up() {
  if (!hung_) return;
  say("answers again");
  hung_ = false;
  for (const auto& work : std::exchange(held_, {})) work();
}

void SimulatedRuntime::fall_silent() {
  say("tells no event any more");
  mute_ = true;
}

void SimulatedRuntime::speak_again() {
  if (std::exchange(mute_, false)) say("tells its events again");
}

// As containerd finds a rebooted machine: its records exist, but none of their tasks.
void SimulatedRuntime::lose_everything_that_runs() {
  go_down();
  for (auto& instance : instances_) {
    if (!instance.live()) continue;
    instance.first_kill = clock_.steady_now();
    exit_now(instance, 255, "Unknown", Nanoseconds{});
  }
  for (auto& sandbox : sandboxes_)
    if (!sandbox.removed) end_sandbox(sandbox, Nanoseconds{});
}

void SimulatedRuntime::come_up() {
  if (!down_) return;
  say("is back");
  down_ = false;
  subscribe();
}

void SimulatedRuntime::subscribe() {
  events_.clear();
  subscribed_ = !down_;
  mute_ = false;
  if (!subscribed_) return;
  unless_hung([this] {
    events_.push_back(cri::Event{.type = cri::EventType::kResubscribed, .at = unix_now()});
    events_rung_.notify();
  });
}

boost::asio::awaitable<cri::Event> SimulatedRuntime::next_event() {
  while (events_.empty()) co_await events_rung_.wait();
  auto event = std::move(events_.front());
  events_.pop_front();
  co_return event;
}

void SimulatedRuntime::emit(cri::EventType type, const std::string& id,
                            std::optional<std::int32_t> exit_code) {
  cri::Event event{.type = type, .id = id, .at = unix_now()};
  if (events_have_exit_code_) event.exit_code = exit_code;
  if (random_.chance(faults_.event_lost)) {
    say("an event is lost");
    return;
  }
  const bool late = random_.chance(faults_.event_late);
  if (random_.chance(faults_.event_doubled)) deliver(event, draw(latencies_.late_event) / 4);
  deliver(std::move(event), draw(late ? latencies_.late_event : latencies_.event));
}

void SimulatedRuntime::deliver(cri::Event event, Nanoseconds delay) {
  auto arrive = [this, event = std::move(event)] {
    if (!subscribed_ || mute_) return;
    events_.push_back(event);
    events_rung_.notify();
  };
  after(delay, [this, arrive = std::move(arrive)] { unless_hung(arrive); });
}

std::optional<Error> SimulatedRuntime::reserve(const std::string& name) {
  if (names_.insert(name).second) return std::nullopt;
  return Error{ErrorCode::kUnknown,
               fmt::format("failed to reserve name \"{}\": it is reserved", name)};
}

std::string SimulatedRuntime::new_id() {
  // In a quiet runtime ids sort by age, which makes unit tests easy to read.
  const auto count = fmt::format("{:08x}", ++ids_);
  return faults_.shuffled_lists ? random_.hex(56) + count : count + random_.hex(56);
}

Error SimulatedRuntime::missing(const std::string& what) const {
  return Error{ErrorCode::kNotFound, what + ": not found"};
}

cri::Call<cri::Version> SimulatedRuntime::version(Context context) {
  Order<cri::Version> order{.what = "Version",
                            .duration = latencies_.query,
                            .limit = latencies_.request_timeout,
                            .query = true};
  order.finish = [this] {
    return cri::Version{
        .runtime_name = name_, .runtime_version = "simulated", .runtime_api_version = "v1"};
  };
  return fly(std::move(context), std::move(order));
}

// Answered at once: the runtime has its setup in memory.
cri::Call<cri::RuntimeSetup> SimulatedRuntime::setup(Context /*context*/) {
  if (down_) co_return fail(ErrorCode::kUnavailable, "Version: the runtime is down");
  co_return reported_;
}

cri::Call<cri::RuntimeStatus> SimulatedRuntime::status(Context context) {
  Order<cri::RuntimeStatus> order{.what = "Status",
                                  .duration = latencies_.query,
                                  .limit = latencies_.request_timeout,
                                  .query = true};
  order.finish = [this] {
    cri::RuntimeStatus status = reported_.status;
    if (status.conditions.empty())
      status.conditions = {{.type = "RuntimeReady", .status = true},
                           {.type = "NetworkReady", .status = true}};
    return status;
  };
  return fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
