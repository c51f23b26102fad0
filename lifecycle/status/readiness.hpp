// SPDX-License-Identifier: Apache-2.0

// Who is ready, as one decision: the containers by their probes, the pod by its sandbox, its
// containers and gates. The same rules as compute_pod_status follows (container_statuses.hpp,
// conditions.hpp). Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// A condition without its times.
struct ConditionWord {
  std::string status{};
  std::string reason{};
  std::string message{};

  bool operator==(const ConditionWord&) const = default;
};

struct ReadinessQuestion {
  RefOrValue<api::Pod> pod{};
  // Statuses of init and regular containers, before probe results are merged.
  std::vector<api::ContainerStatus> statuses{};
  ProbeResults probes{};
  std::string phase{};
  std::map<std::string, ConditionWord> gates{};  // by type: what readiness gates ask for
  std::vector<RuntimeSandbox> sandboxes{};       // newest first
};

struct ContainerReadiness {
  bool started = false;
  bool ready = false;

  bool operator==(const ContainerReadiness&) const = default;
};

struct ReadinessDecision {
  std::map<std::string, ContainerReadiness> containers{};  // regular ones and sidecars, by name
  // PodReadyToStartContainers, Initialized, ContainersReady, Ready
  std::map<std::string, ConditionWord> conditions{};
};

[[nodiscard]] ReadinessDecision decide_readiness(const ReadinessQuestion& question);

// The readiness that `status` shows.
[[nodiscard]] ReadinessDecision readiness_in(const api::Pod& pod, const api::PodStatus& status);
// Whether two statuses of a pod show the same readiness.
[[nodiscard]] bool same_readiness(const api::PodStatus& one, const api::PodStatus& other);

// Why, as clauses: for the pod, for its sandbox if no container can be started in it, then for each
// container that is not ready.
[[nodiscard]] Reasons readiness_reasons(const ReadinessQuestion& question,
                                        const ReadinessDecision& decision);

// The part of the question that decide_readiness reads.
[[nodiscard]] ReadinessQuestion readiness_part(const ReadinessQuestion& question);

}  // namespace berth::lifecycle
