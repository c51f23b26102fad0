// SPDX-License-Identifier: Apache-2.0

// Which of the kubelet's rules are in force where it has a switch for them.
//
// Passed to every decision that depends on one, never looked up anywhere. The defaults are
// berth's; the recorded decisions were made with `static_pod_rules` on and the rest off, as is
// the default of Kubernetes 1.34 (for pods that ask for neither, on and off come to the same).
#pragma once

namespace berth::lifecycle {

struct FeatureOptions {
  // ContainerRestartRules: an ordinary container's own restartPolicy and restartPolicyRules.
  bool container_restart_rules = true;
  // ContainerStopSignals: the stop signal in effect is shown in the container's status.
  bool container_stop_signals = true;
  // A pod that came from a manifest (annotation kubernetes.io/config.source other than "api")
  // gets no phase from its removal alone: one with restartPolicy Always stays Running for ever.
  // Off: it ends as any deleted pod does.
  bool static_pod_rules = false;
};

}  // namespace berth::lifecycle
