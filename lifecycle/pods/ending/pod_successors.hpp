// SPDX-License-Identifier: Apache-2.0

// Creates the successors of pods that are deleted or have ended while their manifests exist. The
// parts outlive this object. Loop thread only.
#pragma once

#include "lifecycle/pods/desired_pods.hpp"

namespace berth::lifecycle {

class IncarnationSource;
struct PodRecord;
struct PodSetParts;

class PodSuccessors {
 public:
  explicit PodSuccessors(PodSetParts& parts);

  // Replaces the pod by its next incarnation in the desired set, once. Nothing happens if the pod
  // is no longer desired.
  void create(PodRecord& record);

 private:
  IncarnationSource& incarnations_;
  DesiredPods& desired_;
};

}  // namespace berth::lifecycle
