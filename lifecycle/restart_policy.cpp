// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/restart_policy.hpp"

#include <algorithm>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

bool matches(const api::ContainerRestartRule& rule, std::int32_t exit_code) {
  if (rule.action != "Restart" || !rule.exitCodes) return false;
  const auto& codes = rule.exitCodes->values;
  const bool listed = std::ranges::find(codes, exit_code) != codes.end();
  if (rule.exitCodes->operator_ == "In") return listed;
  return rule.exitCodes->operator_ == "NotIn" && !listed;
}

bool by_policy(const std::string& policy, std::int32_t exit_code) {
  if (policy == "Never") return false;
  return policy != "OnFailure" || exit_code != 0;
}

}  // namespace

RestartRules restart_rules(const api::Container& container) {
  return RestartRules{.policy = container.restartPolicy, .rules = container.restartPolicyRules};
}

bool has_own_restart_policy(const api::Pod& pod) {
  const auto own = [](const api::Container& container) {
    return container.restartPolicy.has_value();
  };
  return std::ranges::any_of(pod.spec.containers, own) ||
         std::ranges::any_of(pod.spec.initContainers, [&](const api::Container& container) {
           return own(container) && !is_sidecar(container);
         });
}

std::optional<std::size_t> deciding_restart_rule(const RestartRules& rules,
                                                 std::int32_t exit_code) {
  const auto found =
      std::ranges::find_if(rules.rules, [&](const auto& rule) { return matches(rule, exit_code); });
  if (found == rules.rules.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rules.rules.begin());
}

bool restarts_after_exit(const api::Pod& pod, const RestartRules& rules, std::int32_t exit_code,
                         const FeatureOptions& options) {
  if (options.container_restart_rules && rules.policy) {
    return deciding_restart_rule(rules, exit_code) || by_policy(*rules.policy, exit_code);
  }
  return by_policy(pod.spec.restartPolicy, exit_code);
}

bool restarts_on_failure(const api::Pod& pod, const RestartRules& rules,
                         const FeatureOptions& options) {
  if (options.container_restart_rules && rules.policy) return *rules.policy != "Never";
  return pod.spec.restartPolicy != "Never";
}

bool should_restart(const api::Pod& pod, const RestartRules& rules, const RuntimeContainer* newest,
                    const FeatureOptions& options) {
  if (pod.metadata.deletionTimestamp) return false;
  if (newest == nullptr) return true;
  switch (newest->state) {
    case cri::ContainerState::kRunning:
      return false;
    case cri::ContainerState::kUnknown:
    case cri::ContainerState::kCreated:
      return true;
    case cri::ContainerState::kExited:
      if (newest->start_again != StartAgain::kByPolicy) return true;
      return restarts_after_exit(pod, rules, newest->exit_code, options);
  }
  return false;
}

bool init_failed(const RuntimeContainer& record) {
  if (record.state == cri::ContainerState::kUnknown) return true;
  if (record.state != cri::ContainerState::kExited) return false;
  return record.exit_code != 0 || record.reason == kOomKilled;
}

}  // namespace berth::lifecycle
