// SPDX-License-Identifier: Apache-2.0

// Whether the pod's restart policy starts a container that ended or never ran. Backoff is decided
// elsewhere. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// What a container's definition states about restarts; an ephemeral container's states nothing.
struct RestartRules {
  std::optional<std::string> policy{};
  std::vector<api::ContainerRestartRule> rules{};
};
[[nodiscard]] RestartRules restart_rules(const api::Container& container);

// Whether any container other than a sidecar has a restart policy of its own. A sidecar's Always
// only marks it as a sidecar.
[[nodiscard]] bool has_own_restart_policy(const api::Pod& pod);

// The index of the rule that decides on this exit code; unset if the policy decides.
[[nodiscard]] std::optional<std::size_t> deciding_restart_rule(const RestartRules& rules,
                                                               std::int32_t exit_code);

// Whether the exit code alone leads to a restart.
[[nodiscard]] bool restarts_after_exit(const api::Pod& pod, const RestartRules& rules,
                                       std::int32_t exit_code, const FeatureOptions& options);

// Whether a failure that has no exit code (a probe's verdict, an unknown state) leads to a restart.
[[nodiscard]] bool restarts_on_failure(const api::Pod& pod, const RestartRules& rules,
                                       const FeatureOptions& options);

// Whether to start a container that is not running, by the pod's deletion, the record and the exit.
[[nodiscard]] bool should_restart(const api::Pod& pod, const RestartRules& rules,
                                  const RuntimeContainer* newest, const FeatureOptions& options);

// Whether an init container whose newest record is `record` has failed (OOMKilled counts even with
// exit code 0).
[[nodiscard]] bool init_failed(const RuntimeContainer& record);

}  // namespace berth::lifecycle
