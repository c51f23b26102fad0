// SPDX-License-Identifier: Apache-2.0

// Stops the pod, or single containers of it: in order, with the grace period in force.
//
// StopContainer lasts until the container has ended, so each call is a child task that reports
// back. The beginning of a container's stop is remembered across restarts of berthd and of the
// runtime: a failed call is retried with what is left of the grace period. Loop thread only; the
// parts outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/stops/container_stop.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodHooks;
class PodKeeper;
class PodMailbox;
class PodObservation;
class PodPersistence;
class PodRemoval;
class PodTeller;
class Timetable;
enum class StopScope : std::uint8_t;
struct ContainerToStop;
struct ObservedContainer;
struct PodEnvironment;
struct PodParts;
struct ShorterCall;
struct StopCall;
struct StopsInput;
struct StopsStep;

class PodTermination {
 public:
  PodTermination(PodParts& parts, const PodFacts& facts, PodPersistence& persistence,
                 PodObservation& observation, PodHooks& hooks, PodRemoval& removal);

  // True if nothing runs and every sandbox is stopped. Otherwise it did what can be done now, and
  // is called again after the next report or at the next instant of the order.
  [[nodiscard]] boost::asio::awaitable<bool> stop_everything();
  // Applies an order to end the pod to the stops under way. `lives`: the pod lived until then.
  void order_stops(bool lives);
  // Adds the single stops that an earlier berthd had begun and that nobody asks for any more.
  void add_interrupted(std::vector<ContainerKill>& kills);
  // Stops single containers while the pod lives on.
  boost::asio::awaitable<void> kill_containers(std::vector<ContainerKill> kills);
  boost::asio::awaitable<void> advance_kills();
  // Whether a stop under way holds up the other containers.
  [[nodiscard]] bool stops_hold_others() const;
  boost::asio::awaitable<void> absorb_stop_reports();

 private:
  boost::asio::awaitable<StopsStep> advance_stops(StopScope scope);
  [[nodiscard]] StopsInput stops_input(StopScope scope);
  [[nodiscard]] ContainerToStop to_stop(const ObservedContainer& container, KillReason reason,
                                        const Instant& now);
  void note(const StopsInput& input, const StopsStep& step);
  boost::asio::awaitable<void> call_stops(std::vector<StopCall> calls);
  boost::asio::awaitable<bool> remember_reaching(std::vector<std::string> ids);
  [[nodiscard]] bool order_waits() const;
  void ask_how_ended(const std::vector<std::string>& ids);
  boost::asio::awaitable<bool> started_meanwhile(std::vector<std::string> created);
  boost::asio::awaitable<bool> stop_sandboxes();
  void record_ended_with_sandbox(const std::string& sandbox);
  [[nodiscard]] bool holds_others(const std::string& id) const;
  void call_stop(const std::string& id, std::chrono::seconds timeout);
  void shorten_stops();
  void shorten_again(const ShorterCall& call);
  boost::asio::awaitable<void> stop_container(std::string id, std::chrono::seconds timeout,
                                              SteadyTime kill_at);
  boost::asio::awaitable<void> absorb_stop(std::string id);
  void kill_failed(std::string_view action, const std::string& target, const Error& error);
  [[nodiscard]] StopGrace grace_of(const std::string& name, KillReason reason) const;
  boost::asio::awaitable<void> begin_pre_stops(std::vector<std::string> ids);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  PodMailbox& mailbox_;
  TaskGroup& children_;
  Timetable& timetable_;
  ObservedPod& observed_;
  const PodKeeper& keeper_;
  ContainerStops& stops_;
  ContainerStarts& starts_;
  const PodFacts& facts_;
  PodPersistence& persistence_;
  PodObservation& observation_;
  PodHooks& hooks_;
  PodRemoval& removal_;
};

}  // namespace berth::lifecycle
