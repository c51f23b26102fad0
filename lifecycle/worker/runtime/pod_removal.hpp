// SPDX-License-Identifier: Apache-2.0

// Removes single containers and sandboxes of a pod from the runtime. A removal that fails is an
// obstacle, and is tried again later. Loop thread only; the parts outlive it.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class ContainerStops;
class ObservedPod;
class PodTeller;
class Timetable;
struct PodEnvironment;
struct PodParts;

class PodRemoval {
 public:
  explicit PodRemoval(PodParts& parts);

  // True if it no longer exists; a failure is retried later.
  [[nodiscard]] boost::asio::awaitable<bool> remove_container(std::string id);
  [[nodiscard]] boost::asio::awaitable<bool> remove_sandbox(cri::SandboxId id);
  // True if no other instance of its container is left that was created and never started.
  [[nodiscard]] boost::asio::awaitable<bool> remove_created_beside(std::string id);

 private:
  const PodEnvironment& env_;
  const PodPtr& pod_;
  PodTeller& teller_;
  Timetable& timetable_;
  ObservedPod& observed_;
  ContainerStops& stops_;
};

}  // namespace berth::lifecycle
