// SPDX-License-Identifier: Apache-2.0

#include "eviction/node_conditions.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace berth::eviction {
namespace {

struct Words {
  const char* reason = "";
  const char* message = "";
  const char* event = "";
};

struct ConditionWords {
  PressureCondition condition{};
  const char* taint = "";
  Words present{};
  Words absent{};
};

constexpr std::array kConditions = {
    ConditionWords{PressureCondition::kMemoryPressure,
                   "node.kubernetes.io/memory-pressure",
                   {"KubeletHasInsufficientMemory", "kubelet has insufficient memory available",
                    "NodeHasInsufficientMemory"},
                   {"KubeletHasSufficientMemory", "kubelet has sufficient memory available",
                    "NodeHasSufficientMemory"}},
    ConditionWords{
        PressureCondition::kDiskPressure,
        "node.kubernetes.io/disk-pressure",
        {"KubeletHasDiskPressure", "kubelet has disk pressure", "NodeHasDiskPressure"},
        {"KubeletHasNoDiskPressure", "kubelet has no disk pressure", "NodeHasNoDiskPressure"}},
    ConditionWords{PressureCondition::kPidPressure,
                   "node.kubernetes.io/pid-pressure",
                   {"KubeletHasInsufficientPID", "kubelet has insufficient PID available",
                    "NodeHasInsufficientPID"},
                   {"KubeletHasSufficientPID", "kubelet has sufficient PID available",
                    "NodeHasSufficientPID"}},
};

}  // namespace

api::Taint pressure_taint(PressureCondition condition) {
  const auto* words = std::ranges::find(kConditions, condition, &ConditionWords::condition);
  return {.key = words->taint, .effect = "NoSchedule"};
}

PressureShown pressure_conditions(const std::set<PressureCondition>& present,
                                  const std::vector<api::NodeCondition>& shown, api::Time now) {
  PressureShown out;
  for (const ConditionWords& words : kConditions) {
    const std::string type(to_string(words.condition));
    const bool is_present = present.contains(words.condition);
    const std::string status = is_present ? "True" : "False";
    const auto before = std::ranges::find(shown, type, &api::NodeCondition::type);
    api::NodeCondition condition =
        before == shown.end() ? api::NodeCondition{.type = type} : *before;
    condition.lastHeartbeatTime = now;
    if (condition.status != status) {
      const Words& said = is_present ? words.present : words.absent;
      condition.status = status;
      condition.reason = said.reason;
      condition.message = said.message;
      condition.lastTransitionTime = now;
      out.events.emplace_back(said.event);
    }
    out.conditions.push_back(std::move(condition));
  }
  return out;
}

std::string status_event_message(std::string_view node, std::string_view event) {
  return fmt::format("Node {} status is now: {}", node, event);
}

}  // namespace berth::eviction
