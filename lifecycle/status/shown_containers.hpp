// SPDX-License-Identifier: Apache-2.0

// What a pod's status shows of its containers, as one decision: each container's state, derived
// from the runtime's view, the last status, start errors and probe results.
//
// It is compute_pod_status's answer for the containers (pod_status.hpp), and what berthd then adds
// to it: an end that nobody saw, restart counts that never fall, an end that stays as decided.
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "lifecycle/status/pod_status.hpp"

namespace berth::lifecycle {

struct ContainersQuestion {
  std::set<std::string> names{};  // the containers that the decision is about; empty: all
  RefOrValue<api::Pod> pod{};
  RefOrValue<RuntimePod> runtime{};
  ContainerStatusLists previous{};  // as last computed
  RefOrValue<ActuatedResources> actuated{};
  RefOrValue<StartErrors> start_errors{};
  RefOrValue<ProbeResults> probes{};
  std::string runtime_name{};
  bool recursive_read_only_supported = false;
  bool over = false;     // nothing will be started again
  bool decided = false;  // how the pod ended is decided: `previous` shows it
  FeatureOptions options{};
};

struct ShownContainer {
  std::string state{};   // waiting, running, terminated
  std::string reason{};  // of a state that has one: CrashLoopBackOff, Error
  std::int32_t exit_code = 0;
  std::int32_t restarts = 0;
  std::string id{};  // of the instance, without the runtime's name; empty if there is none

  bool operator==(const ShownContainer&) const = default;
};

struct ContainersDecision {
  std::map<std::string, ShownContainer> containers{};  // by name; init containers as well

  bool operator==(const ContainersDecision&) const = default;
};

[[nodiscard]] ContainersDecision decide_containers(const ContainersQuestion& question);

// The question from which the status of `input` was computed, limited to the containers that
// `published` shows differently than before; about all of them once the pod is over.
[[nodiscard]] ContainersQuestion containers_question(const PodStatusInput& input, bool decided,
                                                     const api::PodStatus& published);
// What `status` shows of the containers of those names; of all if `names` is empty.
[[nodiscard]] ContainersDecision containers_in(const api::PodStatus& status,
                                               const std::set<std::string>& names = {});
// Whether two statuses of a pod show the same of its containers. Copies nothing.
[[nodiscard]] bool same_containers_shown(const api::PodStatus& one, const api::PodStatus& other);

// The part of the question that decide_containers reads: of a pod with many containers, those that
// it is about. Messages are left out: they may be long, and may hold what a hook or a container
// wrote.
[[nodiscard]] ContainersQuestion containers_part(const ContainersQuestion& question);

}  // namespace berth::lifecycle
