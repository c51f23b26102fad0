// SPDX-License-Identifier: Apache-2.0

// The state of the pod set: what it knows of the node's pods. Its behaviour is in the classes that
// pod_set.cpp wires; each refers to the parts that it uses.
//
// The tasks, and whoever waits for `settled_bell`, have ended before this object is destroyed. Loop
// thread only.
#pragma once

#include <functional>

#include "base/broadcast.hpp"
#include "lifecycle/pod_set_options.hpp"
#include "lifecycle/pods/desired_pods.hpp"
#include "lifecycle/pods/pod_cleanup.hpp"
#include "lifecycle/pods/pod_records.hpp"
#include "lifecycle/pods/pod_set_services.hpp"
#include "lifecycle/pods/pod_verdicts.hpp"
#include "lifecycle/pods/pod_views.hpp"
#include "lifecycle/pods/reconcile_schedule.hpp"
#include "lifecycle/pods/runtime/unclaimed_pods.hpp"
#include "lifecycle/pods/runtime/unclaimed_stops.hpp"
#include "lifecycle/pods/start_readiness.hpp"

namespace berth::lifecycle {

struct PodSetParts {
  // `pass`: what `reconcile` schedules. `collect`: the work of `collection`.
  PodSetParts(PodSetServices given, PodSetOptions chosen, std::function<void()> pass,
              std::function<void()> collect);
  PodSetParts(const PodSetParts&) = delete;
  PodSetParts& operator=(const PodSetParts&) = delete;
  ~PodSetParts() = default;

  PodSetServices services;  // the node and the pressure gate are replaced
  const PodSetOptions options;
  TaskGroup tasks;
  DesiredPods desired{};
  PodRecords records{};
  PodViews views;
  PodVerdicts verdicts;
  PodCleanup cleanup;
  UnclaimedPods unclaimed{};
  UnclaimedStops unclaimed_stops{};
  StartReadiness readiness;
  ReconcileSchedule reconcile;
  NextTurn collection;     // of finished pods
  Broadcast settled_bell;  // the store has further orders, or a pod was released
};

}  // namespace berth::lifecycle
