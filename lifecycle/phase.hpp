// SPDX-License-Identifier: Apache-2.0

// The phase of a pod, from the statuses of its containers; and which phase others are shown.
//
// compute_phase is the kubelet's rule. decide_phase adds what else has a say: that an end is final,
// the deadline, what a control plane knows, and that a pod whose containers may still run is not
// shown to have ended. Pure.
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
  // Of init and regular containers. As the kubelet does it, before probe results are merged: until
  // a regular container has started, a freshly reported sidecar does not count as started.
  const std::vector<api::ContainerStatus>& statuses;
  // Containers that have ended in between: they count as running, whatever their exit says.
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
  std::string previous{};  // decided last; empty: nothing yet
  std::string known{};     // what a control plane last returned, if there is one
  bool deadline_exceeded = false;
  bool finalised = false;  // it is over: what has not finished by itself has failed
  std::string shown_before{};
  bool containers_may_run = false;
};

struct PhaseDecision {
  std::string phase{};
  std::string shown{};
  std::string settled{};    // before the deadline and the control plane's word
  std::string_view rule{};  // which one gave the phase
};

[[nodiscard]] PhaseDecision decide_phase(const PhaseQuestion& question);

// Why it is that phase, as a clause.
[[nodiscard]] Reason phase_reason(const PhaseQuestion& question, const PhaseDecision& decision);

// What others are shown instead, while containers may run.
[[nodiscard]] std::string_view shown_phase(std::string_view phase, std::string_view shown_before,
                                           bool containers_may_run);

// Of a pod of which nothing runs any more.
[[nodiscard]] std::string_view finalised_phase(const api::Pod& pod, std::string_view phase,
                                               const FeatureOptions& options);

// Of the pod, and of its containers' statuses, what decide_phase looks at.
[[nodiscard]] api::Pod phase_part(const api::Pod& pod);
[[nodiscard]] api::ContainerStatus phase_part(const api::ContainerStatus& status);

// Whether some regular container has a record in the newest sandbox.
[[nodiscard]] bool has_started_regular_container(const api::Pod& pod, const RuntimePod& runtime);

}  // namespace berth::lifecycle
