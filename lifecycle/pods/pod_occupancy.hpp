// SPDX-License-Identifier: Apache-2.0

// Which pods take up room on the node, as admission counts them. Changes nothing.
//
// The parts outlive this object. Loop thread only.
#pragma once

#include <vector>

#include "lifecycle/admission/pod_admission.hpp"
#include "lifecycle/pods/desired_pods.hpp"

namespace berth::lifecycle {

class PodRecords;
class PodViews;
class UnclaimedPods;
struct PodRecord;
struct PodSetParts;

class PodOccupancy {
 public:
  explicit PodOccupancy(const PodSetParts& parts);

  // Whether the pod occupies room on the node: with a worker, or with containers that no worker has
  // taken over, of a pod that waits for its name or is held.
  [[nodiscard]] bool is_placed(const PodRecord& record) const;
  // The pods of which something may run, by uid: the active ones, and those that an earlier berthd
  // began and that have no worker yet, because they wait for their name or are held.
  [[nodiscard]] std::vector<PodPtr> placed() const;
  // The pods with which a new pod has to share the node. A pod that only the runtime knows takes up
  // no room, as in the kubelet: it is about to end, and no pod should be refused for good because
  // of it.
  [[nodiscard]] Occupants occupants() const;
  // The running pods that the node would refuse if all were admitted anew, in order of priority.
  [[nodiscard]] std::vector<RefusedToday> refused_today() const;

 private:
  const PodAdmission& admission_;
  const DesiredPods& desired_;
  const PodRecords& records_;
  const PodViews& views_;
  const UnclaimedPods& unclaimed_;
};

}  // namespace berth::lifecycle
