// SPDX-License-Identifier: Apache-2.0

// Starts the containers that a plan says, one after another. Loop thread only; the parts outlive
// it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "lifecycle/pod_actions.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

class ContainerStarter;
class ContainerStarts;
class ObservedPod;
class PodMailbox;
class PodPersistence;
class PodReport;
class PodSetup;
class ShownStatus;
class Timetable;
struct PodParts;

class StartSequence {
 public:
  StartSequence(PodParts& parts, PodPersistence& persistence, PodReport& report,
                ContainerStarter& starter);

  // After each start the plan is computed anew. True if another turn is to follow at once.
  [[nodiscard]] boost::asio::awaitable<bool> start_containers(PodActions actions);

 private:
  const PodPtr& pod_;
  const PodMailbox& mailbox_;
  Timetable& timetable_;
  const ObservedPod& observed_;
  const ContainerStarts& starts_;
  PodSetup& setup_;
  const ShownStatus& status_;
  PodPersistence& persistence_;
  PodReport& report_;
  ContainerStarter& starter_;
};

}  // namespace berth::lifecycle
