// SPDX-License-Identifier: Apache-2.0

// What a pod's worker is made of: everything that it knows and remembers of its pod. What it does
// is in the classes that pod_worker.cpp wires, each of which names the parts that it touches.
//
// Loop thread only; the environment outlives it.
#pragma once

#include <optional>

#include "base/notification.hpp"
#include "base/task_group.hpp"
#include "lifecycle/worker/pod_course.hpp"
#include "lifecycle/worker/pod_environment.hpp"
#include "lifecycle/worker/pod_keeper.hpp"
#include "lifecycle/worker/pod_mailbox.hpp"
#include "lifecycle/worker/pod_setup.hpp"
#include "lifecycle/worker/probes/pod_probes.hpp"
#include "lifecycle/worker/runtime/observed_pod.hpp"
#include "lifecycle/worker/shown_status.hpp"
#include "lifecycle/worker/starts/container_starts.hpp"
#include "lifecycle/worker/stops/container_stops.hpp"

namespace berth::lifecycle {

struct PodParts {
  PodParts(const PodEnvironment& environment, PodPtr pod, std::optional<ListedPod> listed,
           const PodMemoryPtr& memory);
  PodParts(const PodParts&) = delete;
  PodParts& operator=(const PodParts&) = delete;
  ~PodParts() = default;

  const PodEnvironment& env;
  PodPtr pod;  // as desired, with deletionTimestamp once it is to be removed
  PodTeller teller;
  PodCourse course;
  PodMailbox mailbox;
  TaskGroup children;
  Timetable timetable;
  ObservedPod observed;
  PodKeeper keeper;
  ContainerStops stops;
  PodProbes probes;
  ContainerStarts starts;
  PodSetup setup;
  Notification files_bell;  // rings when files of a container were made ahead, or could not be
  ShownStatus status;
};

}  // namespace berth::lifecycle
