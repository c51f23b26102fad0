// SPDX-License-Identifier: Apache-2.0

// The phase of a pod, from the statuses of its containers, and the phase that is published.
//
// compute_phase is the kubelet's rule. decide_phase adds the remaining rules: an end is final, the
// deadline, what a control plane knows, and that a pod whose containers may still run is not shown
// as ended. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

struct PhaseInput {
  const api::Pod& pod;
  // Statuses of init and regular containers, as in the kubelet before probe results are merged:
  // until a regular container has started, a freshly reported sidecar does not count as started.
  const std::vector<api::ContainerStatus>& statuses;
  // Containers that have ended and are being started again: they count as running, whatever their
  // exit code.
  std::set<std::string> starting_again{};
  bool pod_is_terminal = false;      // nothing will be started again
  bool pod_has_initialized = false;  // a regular container was started in the current sandbox
  FeatureOptions options{};
};

// One of the constants of reasons.hpp.
[[nodiscard]] std::string_view compute_phase(const PhaseInput& input);

struct PhaseQuestion {
  RefOrValue<api::Pod> pod{};
  std::vector<api::ContainerStatus> statuses{};  // as in PhaseInput
  std::set<std::string> starting_again{};        // likewise
  bool pod_is_terminal = false;
  bool pod_has_initialized = false;
  FeatureOptions options{};
  std::string previous{};  // the last decision; empty if there is none yet
  std::string known{};     // what a control plane last returned, if there is one
  bool deadline_exceeded = false;
  bool finalised = false;  // it is over; if it has not finished by itself, it has failed
  std::string shown_before{};
  bool containers_may_run = false;
};

struct PhaseDecision {
  std::string phase{};
  std::string shown{};
  std::string settled{};    // before the deadline and the control plane are considered
  std::string_view rule{};  // the rule that determined the phase
};

[[nodiscard]] PhaseDecision decide_phase(const PhaseQuestion& question);

// Why the pod has that phase, as a clause.
[[nodiscard]] Reason phase_reason(const PhaseQuestion& question, const PhaseDecision& decision);

// The phase that is published instead, while containers may run.
[[nodiscard]] std::string_view shown_phase(std::string_view phase, std::string_view shown_before,
                                           bool containers_may_run);

// The phase of a pod of which nothing runs any more.
[[nodiscard]] std::string_view finalised_phase(const api::Pod& pod, std::string_view phase,
                                               const FeatureOptions& options);

// The parts of the pod and of its containers' statuses that decide_phase reads.
[[nodiscard]] api::Pod phase_part(const api::Pod& pod);
[[nodiscard]] api::ContainerStatus phase_part(const api::ContainerStatus& status);

// Whether some regular container has a record in the newest sandbox.
[[nodiscard]] bool has_started_regular_container(const api::Pod& pod, const RuntimePod& runtime);

}  // namespace berth::lifecycle
