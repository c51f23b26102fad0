// SPDX-License-Identifier: Apache-2.0

// Reads what the pod has in the runtime: everything at the start and after an unknown outcome,
// single containers and sandboxes after their events. Loop thread only; the parts outlive it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodKeeper;
class PodTeller;
class ShownStatus;
class Timetable;
struct ObservedContainer;
struct PodEnvironment;
struct PodParts;
struct StopNews;

class PodObservation {
 public:
  PodObservation(PodParts& parts, const PodFacts& facts);

  // True if another turn is to follow at once.
  [[nodiscard]] boost::asio::awaitable<bool> observe();
  void report_exit(const cri::ContainerStatus& status, bool reported_before);
  // No number is reused, even after the record of its container is removed.
  void remember_attempts();
  boost::asio::awaitable<cri::ContainerStatus> with_termination_message(
      cri::ContainerStatus status);
  // An event reported that the container or sandbox has ended.
  void note_stop(const std::string& id, const StopNews& news);
  void ask_whether_ended(const std::string& id);
  // Adds the termination message to an exit that is shown ahead of the runtime's status.
  boost::asio::awaitable<void> complete_exit_shown(std::string id);
  // Asks the runtime for the ends that are due (AwaitedEnds).
  boost::asio::awaitable<void> ask_for_stops();
  // True if the runtime shows the stop, or no longer has it.
  [[nodiscard]] boost::asio::awaitable<bool> ask_for_stop(std::string id);
  // Starts that the runtime shows by now count for the restart backoff. So do those of containers
  // that it no longer has, because it is unknown whether they ran.
  void settle_pending_starts();

 private:
  void report_foreign(const std::vector<std::string>& sandboxes);
  void report_found_exits(const ObservedPod& seen);
  void ask_for_ends_before();
  void observation_failed(const Error& error);
  cri::Call<ObservedPod> inspect(ListedPod listed);
  // Returns those of the `unlisted` sandboxes, which hold containers of the pod, that are not its
  // own.
  cri::Call<std::set<std::string>> foreign_among(std::set<std::string> unlisted);
  void show_exit_at_once(const ObservedContainer& container, const StopNews& news);
  void restore_ends_shown();
  boost::asio::awaitable<bool> ask_for_sandbox_stop(std::string id);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  Timetable& timetable_;
  ObservedPod& observed_;
  const PodKeeper& keeper_;
  const ContainerStops& stops_;
  ContainerStarts& starts_;
  const ShownStatus& status_;
  const PodFacts& facts_;
};

}  // namespace berth::lifecycle
