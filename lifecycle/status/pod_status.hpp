// SPDX-License-Identifier: Apache-2.0

// The status of a pod as the node computes it, and special statuses.
//
// compute_pod_status gives phase, conditions, container statuses and addresses; status_stamp.hpp
// then adds times and decides what is shown. `previous` is always the last result of that pair,
// never the one with the terminal phase withheld. Pure; always succeeds.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/status/readiness.hpp"

namespace berth::lifecycle {

struct NodeAddresses {
  std::vector<std::string> host_ips{};  // in order; empty if the status has none of the host
  std::vector<std::string> node_ips{};  // as configured; the first one's family comes first
};

struct PodStatusInput {
  const api::Pod& pod;  // its status is what a control plane last returned, if there is one
  const api::PodStatus* previous =
      nullptr;  // null if nothing is remembered; then pod.status is used
  const RuntimePod& runtime;
  const ActuatedResources& actuated;
  const StartErrors& start_errors;
  const ProbeResults& probes;
  const NodeAddresses& addresses;
  std::vector<api::PodCondition> resize_conditions{};
  std::string qos_class{};         // node/ computes it
  bool pod_is_terminal = false;    // nothing will be started again: the last computation
  bool phase_decided = false;      // the pod ends because of `previous.phase`, which stays
  bool deadline_exceeded = false;  // Plan::deadline_exceeded
  std::string_view runtime_name = "containerd";
  bool recursive_read_only_supported = false;  // by the runtime's handler
  FeatureOptions options{};
};

[[nodiscard]] api::PodStatus compute_pod_status(const PodStatusInput& input);

// The question from which compute_pod_status decides the phase.
[[nodiscard]] PhaseQuestion phase_question(const PodStatusInput& input);
// The question from which compute_pod_status decides who is ready. `computed`: its result.
[[nodiscard]] ReadinessQuestion readiness_question(const PodStatusInput& input,
                                                   const api::PodStatus& computed);

// The status of a pod that was refused at admission: Failed, and nothing else.
[[nodiscard]] api::PodStatus rejected_status(std::string_view reason, std::string_view message,
                                             std::string_view qos_class);

// The status of a pod that this version cannot run, or that another node is to run: Pending.
[[nodiscard]] api::PodStatus pending_status(std::string_view reason, std::string_view message,
                                            std::string_view qos_class);

// The last status of an incarnation: containers that never reported an exit get a made-up one, and
// a pod that is still Pending or Running becomes Failed (with static_pod_rules only if not static).
[[nodiscard]] api::PodStatus finalise_status(const api::Pod& pod, api::PodStatus status,
                                             const FeatureOptions& options);

// The ends that the status reports, by instance id without the runtime's scheme; at most one for
// each container.
[[nodiscard]] std::map<std::string, api::ContainerStateTerminated> ends_shown(
    const api::PodStatus& status);

// The part of the runtime's view that agrees with the decided end of the pod: the instance of
// each container that the status reports. An instance that a late call created or started does not
// change how the pod ended, nor does an older one that is left while a sandbox is removed piece by
// piece.
[[nodiscard]] RuntimePod reported_in_end(const api::PodStatus& decided, RuntimePod runtime);

// The runtime's view without instances that were created after one that ran and that will never be
// started: all such instances when the pod ends, otherwise those in a removed sandbox. They
// have not ended; the instance before them has, and takes over their restart count.
[[nodiscard]] RuntimePod without_unstarted(RuntimePod runtime, bool pod_ends);

// What decides which part of the runtime's view (pod_view.hpp) is shown.
struct ShownQuestion {
  std::map<std::string, cri::ContainerId> post_starts{};  // hooks that run, by container name
  const api::PodStatus* previous = nullptr;               // as last computed; null if there is none
  const api::PodStatus* decided = nullptr;                // its end; null if not yet decided
  bool ends = false;
};

// The part of the runtime's view that is shown. A container is shown as before its start, without
// its id, while its postStart hook runs. The end of its previous instance does not end the pod
// then, because the next instance has been started.
[[nodiscard]] RuntimePod shown_part(RuntimePod runtime, const ShownQuestion& question);

// Keeps restart counts from falling when the instances that were counted are removed.
[[nodiscard]] api::PodStatus with_restarts_counted(const api::PodStatus& previous,
                                                   api::PodStatus computed);

// Keeps each container's last state as decided and, once its final instance has been removed, that
// instance's ids.
[[nodiscard]] api::PodStatus with_decided_history(const api::PodStatus& decided,
                                                  api::PodStatus computed);

// Instances, in any state, that the decided end of the pod does not report.
[[nodiscard]] std::vector<cri::ContainerId> unreported_instances(const api::PodStatus& decided,
                                                                 const RuntimePod& runtime);

}  // namespace berth::lifecycle
