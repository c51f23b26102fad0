// SPDX-License-Identifier: Apache-2.0

// When a pod's memory (pod_memory.hpp), which outlives berthd, is stored, and what waits for it.
//
// Before a container is created, a sandbox replaced or a container started again, the store must
// have committed; a pod's first sandbox and a first start do not wait. A stop waits one second at
// most for its commit, deducted from its grace period; what is merely shown is stored concurrently.
// Loop thread only; the parts outlive it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/worker/pod_keeper.hpp"

namespace berth {

class TaskGroup;

}  // namespace berth

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodFacts;
class PodKeeper;
class PodMailbox;
class PodProbes;
class PodTeller;
class ShownStatus;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodPersistence {
 public:
  PodPersistence(PodParts& parts, const PodFacts& facts);

  // What has to outlive berthd, as of now.
  [[nodiscard]] PodMemory memory() const;
  // Ends the records of stops whose containers have ended.
  void forget_ended_stops();
  // Stores an order that the worker, busy with the runtime, does not read yet.
  void remember_order();
  // Begins a commit, whatever the worker is doing.
  void remember_at_once();
  // Whether the store has all orders given for the pod.
  [[nodiscard]] bool orders_kept() const;
  // Stores orders that no stop will store. `ordered`: there are new ones.
  boost::asio::awaitable<void> keep_orders(bool ordered);
  // True if everything that affects decisions is durable. If false, the commit is retried later,
  // and nothing is started.
  [[nodiscard]] boost::asio::awaitable<bool> remembered(
      Numbers numbers = Numbers::kReportedByRuntime);
  // Begins a commit that runs concurrently with the worker's next call, unless one is under way.
  void begin_to_remember();
  // True once the store has any row for the pod.
  [[nodiscard]] boost::asio::awaitable<bool> known_to_store();
  // True if there was something to store, for which this waited.
  [[nodiscard]] boost::asio::awaitable<bool> remember_for_stop();
  // Begins a commit of what is merely shown.
  void remember_later();

 private:
  [[nodiscard]] bool has_more() const;
  void store_failed(const Error& error);
  void begin_commit();
  boost::asio::awaitable<void> store_memory();

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  PodMailbox& mailbox_;
  TaskGroup& children_;
  Timetable& timetable_;
  const ObservedPod& observed_;
  PodKeeper& keeper_;
  ContainerStops& stops_;
  const PodProbes& probes_;
  ContainerStarts& starts_;
  const ShownStatus& status_;
  const PodFacts& facts_;
};

}  // namespace berth::lifecycle
