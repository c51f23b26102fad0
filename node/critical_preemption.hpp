// SPDX-License-Identifier: Apache-2.0

// Which pods a node terminates to make room for a critical pod.
//
// Pure over the incoming pod, the pods active on the node and the missing resources. Applies only
// to a pod that admission refused for lack of resources and for no other reason. Victims are active
// pods that are not critical while the incoming one is, or that have a lower priority; lower QoS
// classes are terminated first, and within a class the pod whose requests are nearest to what is
// missing. Numbers and texts are the kubelet's, v1.34.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "node/qos.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::node {

// The reason in a victim's status and event.
inline constexpr const char* kPreemptingReason = "Preempting";
inline constexpr const char* kPreemptingMessage = "Preempted in order to admit critical pod";
// The message of a victim's DisruptionTarget condition (reason TerminationByKubelet).
inline constexpr const char* kPreemptingConditionMessage =
    "Pod was preempted by Kubelet to accommodate a critical pod.";

// An amount to be freed: cpu in thousandths, everything else in whole units.
struct MissingAmount {
  std::string resource{};
  std::int64_t amount = 0;

  bool operator==(const MissingAmount&) const = default;
};

// A pod to be terminated, and why it was chosen within its class.
struct CriticalVictim {
  const api::Pod* pod = nullptr;  // one of the active pods
  QosClass qos = QosClass::kBestEffort;
  std::vector<MissingAmount> missing{};  // at the time of the choice
  // Distance of its requests from `missing`: 0 covers everything, the number of resources covers
  // nothing.
  double distance = 0;
};

// Terminating all possible victims would not free enough.
struct CriticalPreemptionFailure {
  std::vector<MissingAmount> unmet{};
  std::string message{};  // with every unmet amount
};

struct CriticalPreemptionRules {
  bool static_pods_are_critical = false;  // as in NodeConfig
};

[[nodiscard]] std::vector<MissingAmount> missing_amounts(
    const std::vector<scheduling::Shortage>& shortages);

// The pods to terminate one after another, in this order. The order of `active` decides between
// pods with equal requests.
[[nodiscard]] std::expected<std::vector<CriticalVictim>, CriticalPreemptionFailure>
choose_critical_victims(const CriticalPreemptionRules& rules, const api::Pod& incoming,
                        const std::vector<const api::Pod*>& active,
                        const std::vector<MissingAmount>& missing);

// The incoming pod's status message if preemption fails (reason UnexpectedAdmissionError).
[[nodiscard]] std::string unexpected_admission_message(const CriticalPreemptionFailure& failure);

}  // namespace berth::node
