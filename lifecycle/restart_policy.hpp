// SPDX-License-Identifier: Apache-2.0

// Whether a container that ended, or never ran, is to be started (again) by the pod's restart
// policy. Backoff is another question. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// What a container's definition says about restarts; ephemeral containers say nothing.
struct RestartRules {
  std::optional<std::string> policy{};
  std::vector<api::ContainerRestartRule> rules{};
};
[[nodiscard]] RestartRules restart_rules(const api::Container& container);

// Whether any container but a sidecar decides for itself. A sidecar's Always says what it is.
[[nodiscard]] bool has_own_restart_policy(const api::Pod& pod);

// Which of the rules decides on this exit code, counted from 0; none: the policy does.
[[nodiscard]] std::optional<std::size_t> deciding_restart_rule(const RestartRules& rules,
                                                               std::int32_t exit_code);

// By the exit code alone.
[[nodiscard]] bool restarts_after_exit(const api::Pod& pod, const RestartRules& rules,
                                       std::int32_t exit_code, const FeatureOptions& options);

// Whether a failure that has no exit code (a probe's verdict, an unknown state) leads to a restart.
[[nodiscard]] bool restarts_on_failure(const api::Pod& pod, const RestartRules& rules,
                                       const FeatureOptions& options);

// For a container that is not running: by deletion, record and exit.
[[nodiscard]] bool should_restart(const api::Pod& pod, const RestartRules& rules,
                                  const RuntimeContainer* newest, const FeatureOptions& options);

// An init container whose newest record is this one has failed (OOMKilled counts even with 0).
[[nodiscard]] bool init_failed(const RuntimeContainer& record);

}  // namespace berth::lifecycle
