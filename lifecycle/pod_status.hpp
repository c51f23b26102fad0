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
#include "lifecycle/conditions.hpp"
#include "lifecycle/container_statuses.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/phase.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

struct NodeAddresses {
  std::vector<std::string> host_ips{};  // in order; empty: the status says nothing of the host
  std::vector<std::string> node_ips{};  // as configured; the first one's family comes first
};

struct PodStatusInput {
  const api::Pod& pod;  // its status is what a control plane last returned, if there is one
  const api::PodStatus* previous = nullptr;  // null: nothing is remembered, pod.status is used
  const RuntimePod& runtime;
  const ActuatedResources& actuated;
  const StartErrors& start_errors;
  const ProbeResults& probes;
  const NodeAddresses& addresses;
  std::vector<api::PodCondition> resize_conditions{};
  std::string qos_class{};         // node/ computes it
  bool pod_is_terminal = false;    // nothing will be started again; the last computation
  bool phase_decided = false;      // it ends because of `previous.phase`, which stays
  bool deadline_exceeded = false;  // Plan::deadline_exceeded
  std::string_view runtime_name = "containerd";
  bool recursive_read_only_supported = false;  // by the runtime's handler
  FeatureOptions options{};
};

[[nodiscard]] api::PodStatus compute_pod_status(const PodStatusInput& input);

// What it decides the phase from.
[[nodiscard]] PhaseQuestion phase_question(const PodStatusInput& input);
// What it decides from who is ready. `computed`: what came of it.
[[nodiscard]] ReadinessQuestion readiness_question(const PodStatusInput& input,
                                                   const api::PodStatus& computed);

// A pod that was refused at admission: Failed, and nothing else.
[[nodiscard]] api::PodStatus rejected_status(std::string_view reason, std::string_view message,
                                             std::string_view qos_class);

// A pod that asks for what this version does not run, or that another node is to run: Pending.
[[nodiscard]] api::PodStatus pending_status(std::string_view reason, std::string_view message,
                                            std::string_view qos_class);

// The end of an incarnation: containers that never reported an exit get a made-up one, and a pod
// that is still Pending or Running becomes Failed (with static_pod_rules only if not static).
[[nodiscard]] api::PodStatus finalise_status(const api::Pod& pod, api::PodStatus status,
                                             const FeatureOptions& options);

// How the instances ended that the status says have ended, by their ids without the runtime's name:
// of each container the one that it tells of.
[[nodiscard]] std::map<std::string, api::ContainerStateTerminated> ends_shown(
    const api::PodStatus& status);

// What the runtime has of a pod whose end was published, as far as it agrees with that: of each
// container the instance that the status tells of. What a late call made or started does not change
// how the pod ended, nor does an older instance that is left when a sandbox goes piece by piece.
[[nodiscard]] RuntimePod as_ended(const api::PodStatus& published, RuntimePod runtime);

// What the runtime has of a pod, without what was made after an instance that ran and will never be
// started: all of it when the pod ends, and what is in a sandbox that is gone. That is no end of
// anything: the one before it tells how the container ended, and takes over the count of restarts.
[[nodiscard]] RuntimePod without_unstarted(RuntimePod runtime, bool pod_ends);

// What is held against the view of the runtime (pod_view.hpp) where it is shown.
struct ShownQuestion {
  std::map<std::string, cri::ContainerId> post_starts{};  // hooks that run, by container name
  const api::PodStatus* published = nullptr;              // its end; null: not yet
  bool ends = false;
};

// What is shown of it: that, and as long as its postStart hook runs no container is shown to run.
// How the instance before that one ended is no reason to end the pod, as the next one has been
// started.
[[nodiscard]] RuntimePod shown_part(RuntimePod runtime, const ShownQuestion& question);

// No count of restarts falls, though what was counted is removed.
[[nodiscard]] api::PodStatus with_restarts_counted(const api::PodStatus& previous,
                                                   api::PodStatus computed);

// Which instance each container ended as, and what it had been before, are as final, though the
// instance is removed.
[[nodiscard]] api::PodStatus with_published_history(const api::PodStatus& published,
                                                    api::PodStatus computed);

// Instances that the published end of a pod does not tell of, whatever state they are in.
[[nodiscard]] std::vector<cri::ContainerId> not_told_of(const api::PodStatus& published,
                                                        const RuntimePod& runtime);

}  // namespace berth::lifecycle
