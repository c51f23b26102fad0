// SPDX-License-Identifier: Apache-2.0

// Which of the kubelet's switchable rules are in force.
//
// Passed to every decision that depends on one of them, never looked up anywhere. The defaults are
// berth's; the recorded decisions were made with `static_pod_rules` on and the rest off, as is the
// default of Kubernetes 1.34 and of `manifestRules: Kubelet` (for pods that use neither of the two,
// on and off give the same result).
#pragma once

namespace berth::lifecycle {

struct FeatureOptions {
  // ContainerRestartRules: a regular container's own restartPolicy and restartPolicyRules.
  bool container_restart_rules = true;
  // ContainerStopSignals: the stop signal in effect is shown in the container's status.
  bool container_stop_signals = true;
  // The removal of a pod that came from a manifest (annotation kubernetes.io/config.source other
  // than "api") does not change its phase: with restartPolicy Always it stays Running for ever. If
  // off, the pod ends as any deleted pod does.
  bool static_pod_rules = false;
};

}  // namespace berth::lifecycle
