// Which pods a node ends to make room for a critical pod.
//
// Pure over the incoming pod, the pods active on the node and what is missing. Only for a pod that
// admission refused for lack of resources and for nothing else. Victims come from the active pods
// that are not critical where the incoming one is, or that have a lower priority; the cheaper QoS
// classes go first, and within a class the pod whose requests come nearest to what is missing.
// Numbers and words are the kubelet's, v1.34.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "node/qos.hpp"
#include "scheduling/predicates/resource_fit.hpp"

namespace berth::node {

// What a victim's status and event say.
inline constexpr const char* kPreemptingReason = "Preempting";
inline constexpr const char* kPreemptingMessage = "Preempted in order to admit critical pod";
// The message of its DisruptionTarget condition (reason TerminationByKubelet).
inline constexpr const char* kPreemptingConditionMessage =
    "Pod was preempted by Kubelet to accommodate a critical pod.";

// An amount that has to become free: cpu in thousandths, everything else whole.
struct MissingAmount {
  std::string resource{};
  std::int64_t amount = 0;

  bool operator==(const MissingAmount&) const = default;
};

// A pod that is to be ended, and why it rather than another of its class.
struct CriticalVictim {
  const api::Pod* pod = nullptr;  // one of the active pods
  QosClass qos = QosClass::kBestEffort;
  std::vector<MissingAmount> missing{};  // when it was chosen
  // Of its requests from that: 0 covers everything, the number of resources covers nothing.
  double distance = 0;
};

// All pods that could be ended do not free enough.
struct CriticalPreemptionFailure {
  std::vector<MissingAmount> unmet{};
  std::string message{};  // with every unmet amount
};

struct CriticalPreemptionRules {
  bool static_pods_are_critical = false;  // as in NodeConfig
};

[[nodiscard]] std::vector<MissingAmount> missing_amounts(
    const std::vector<scheduling::Shortage>& shortages);

// In the order in which they are to be ended, one after another. The order of `active` decides
// between pods with equal requests.
[[nodiscard]] std::expected<std::vector<CriticalVictim>, CriticalPreemptionFailure>
choose_critical_victims(const CriticalPreemptionRules& rules, const api::Pod& incoming,
                        const std::vector<const api::Pod*>& active,
                        const std::vector<MissingAmount>& missing);

// What the incoming pod's status says where that fails (reason UnexpectedAdmissionError).
[[nodiscard]] std::string unexpected_admission_message(const CriticalPreemptionFailure& failure);

}  // namespace berth::node
