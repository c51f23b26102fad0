// SPDX-License-Identifier: Apache-2.0

// Removes the pod's remains in the runtime: dead instances, empty sandboxes, and at its end
// everything. Loop thread only; the parts outlive it.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "lifecycle/pod_events.hpp"
#include "lifecycle/worker/mailbox.hpp"
#include "node/container_gc.hpp"

namespace berth::lifecycle {

class ContainerStarts;
class ContainerStops;
class ObservedPod;
class PodCourse;
class PodKeeper;
class PodRemoval;
class PodTeller;
class PodTermination;
class ShownStatus;
struct PodEnvironment;
struct PodParts;

class PodGarbage {
 public:
  PodGarbage(PodParts& parts, PodRemoval& removal, PodTermination& termination);

  // What of the pod must stay in the runtime.
  [[nodiscard]] node::PodContent content() const;
  // Whether a garbage collection of the pod would find anything.
  [[nodiscard]] bool has_garbage() const;
  // True if everything to be removed is gone. A pod that keeps running does not wait for the rest.
  [[nodiscard]] boost::asio::awaitable<bool> collect(node::PodContent content,
                                                     Collection collection = Collection::kRemains);
  // True if none is left; a failure is retried later.
  [[nodiscard]] boost::asio::awaitable<bool> remove_strays();
  // Removes all dead instances of a container except the newest.
  boost::asio::awaitable<void> trim();
  // Likewise: a new sandbox starts the init sequence from scratch.
  [[nodiscard]] boost::asio::awaitable<bool> remove_init_containers();

 private:
  [[nodiscard]] node::GcInput garbage_input(node::PodContent content, Collection collection) const;

  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  const PodCourse& course_;
  const ObservedPod& observed_;
  const PodKeeper& keeper_;
  const ContainerStops& stops_;
  const ContainerStarts& starts_;
  const ShownStatus& status_;
  PodRemoval& removal_;
  PodTermination& termination_;
};

}  // namespace berth::lifecycle
