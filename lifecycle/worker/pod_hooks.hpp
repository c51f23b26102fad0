// SPDX-License-Identifier: Apache-2.0

// Runs the hooks of the containers: postStart after the start, preStop before the stop.
//
// While postStart runs, the container is shown as it was before its start, and nothing else of the
// pod is started; if the hook fails, the container is stopped. The call of preStop is stored before
// it is made, so that the hook runs once per stop, even across restarts of berthd. Its duration is
// deducted from the grace period; a hook that takes longer is neither waited for nor cancelled.
//
// As in the kubelet, the end of a pod waits for a running postStart hook before anything is
// stopped. An order with a shorter grace period than the pod's own is urgent and waits no longer
// than that period: a hook that hangs would hold the pod for ever.
//
// Loop thread only; the parts outlive it.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/handlers.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/hook_runner.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodMailbox;
class PodTeller;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodHooks {
 public:
  PodHooks(PodParts& parts, const PodFacts& facts);

  [[nodiscard]] bool has_post_start(const std::string& name) const;
  // Only if has_post_start.
  void begin_post_start(const std::string& name, const std::string& id);
  // Processes the postStart hooks that have returned.
  void absorb_post_starts();
  // Whether the end of the pod waits for a hook, whose return rings the bell.
  [[nodiscard]] bool awaits_post_start();
  // The caller has stored the stops (pod_termination.cpp).
  void run_pre_stops(const std::vector<std::string>& ids);
  // Emits the Killing event once per container, before its hook or its signal.
  void report_killing(const std::string& id, const std::string& decision);

 private:
  [[nodiscard]] HookCall hook_call(const std::string& name, const std::string& id,
                                   const api::LifecycleHandler& handler) const;
  boost::asio::awaitable<void> post_start(std::string name, HookCall call);
  void post_start_failed(const std::string& name, const std::string& id);
  boost::asio::awaitable<void> pre_stop(std::string name, HookCall call);

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  PodMailbox& mailbox_;
  TaskGroup& children_;
  Timetable& timetable_;
  const ObservedPod& observed_;
  ContainerStops& stops_;
  ContainerStarts& starts_;
  const PodFacts& facts_;
};

}  // namespace berth::lifecycle
