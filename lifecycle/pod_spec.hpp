// SPDX-License-Identifier: Apache-2.0

// Queries on a pod's spec that several decisions share.
//
// Pure; no defaults are applied to the pod (an absent restartPolicy is not Always).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::lifecycle {

inline constexpr const char* kAnnotationConfigSource = "kubernetes.io/config.source";

// Whether the pod comes from a manifest rather than from an API server.
[[nodiscard]] bool is_static(const api::Pod& pod);

// Whether it is an init container with restartPolicy Always, which runs as long as the pod's
// containers do.
[[nodiscard]] bool is_sidecar(const api::Container& init_container);

// "NAME_NAMESPACE(UID)", as messages name a pod.
[[nodiscard]] std::string pod_description(const api::Pod& pod);

// A pod with only the namespace, name and uid of `pod`.
[[nodiscard]] api::Pod named_part(const api::Pod& pod);

[[nodiscard]] const api::Container* find_container(const api::Pod& pod, std::string_view name);
[[nodiscard]] const api::Container* find_init_container(const api::Pod& pod, std::string_view name);

// When activeDeadlineSeconds runs out, counted from the pod's start time; unset if either is
// missing.
[[nodiscard]] std::optional<WallTime> active_deadline(const api::Pod& pod,
                                                      const std::optional<api::Time>& start_time);

}  // namespace berth::lifecycle
