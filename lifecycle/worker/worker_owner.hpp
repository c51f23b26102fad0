// SPDX-License-Identifier: Apache-2.0

// What a pod's worker reports to the pod set, and asks it. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class WorkerOwner {
 public:
  WorkerOwner() = default;
  WorkerOwner(const WorkerOwner&) = delete;
  WorkerOwner& operator=(const WorkerOwner&) = delete;
  virtual ~WorkerOwner() = default;

  // Publishes the pod with its status as it should be shown, whenever it changes.
  virtual void publish(const std::string& uid, const PodPtr& pod) = 0;
  // Claims a sandbox or container id for this pod: from now on its events go to the worker.
  virtual void claim(const std::string& uid, const std::string& id) = 0;
  // Nothing of the pod runs any more: its room on the node is free.
  virtual void left_node(const std::string& uid) = 0;
  // The pod's volumes and cgroup are removed, too: it holds no resources of the machine any more.
  virtual void released(const std::string& uid) = 0;
  // Uids of the pod's predecessors whose end need no longer be stored once the store has the pod.
  [[nodiscard]] virtual std::vector<std::string> ended_before(const api::Pod& pod) const = 0;
  // The store has committed something about this pod, and has forgotten the pods that ended before
  // it.
  virtual void stored(const std::string& uid, const std::vector<std::string>& ended_before) = 0;
};

}  // namespace berth::lifecycle
