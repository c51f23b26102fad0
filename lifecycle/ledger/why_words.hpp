// SPDX-License-Identifier: Apache-2.0

// Phrases from which sentences about pods are built. Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/image_pull_backoff.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// "03:12:17", or "2026-11-20 03:12:17" if `now` is on another day. UTC.
[[nodiscard]] std::string clock_text(WallTime at, WallTime now);

// "240 ms", "10 s", "1 min 30 s", "2 h", "3 d 4 h": two units at most, rounded down.
[[nodiscard]] std::string span_text(Nanoseconds span);

// "container app", "init container setup", "sidecar proxy"; `pod` may be null.
[[nodiscard]] std::string container_text(const api::Pod* pod, std::string_view name);

// "exit code 1"; with the signal if the code denotes one: "exit code 137 (signal KILL)".
[[nodiscard]] std::string exit_code_text(std::int32_t code);

// "berthd stops container app, with 30 s to exit".
[[nodiscard]] std::string stop_text(std::string_view who, std::int64_t seconds);

// "the preStop hook of container app runs, until 03:12:17 at the latest".
[[nodiscard]] std::string hook_text(std::string_view who, std::string_view until);

// "ended with exit code 1 at 03:12:07, after 2 s"; empty if it has not exited.
[[nodiscard]] std::string ended_text(const RuntimeContainer& container, WallTime now);

// "backoff 10 s; starts over after 10 min up"; empty if there is no window.
[[nodiscard]] std::string backoff_text(const RestartBackoff& history,
                                       const RestartBackoffPolicy& policy,
                                       const RestartIdentity& identity);

// "backoff 10 s"; empty if no pull of the container's image has failed.
[[nodiscard]] std::string pull_backoff_text(const ImagePullBackoff& history, const api::Pod& pod,
                                            std::string_view container);

// The identity for the restart backoff, with resources and image from the spec. An unknown name
// yields an identity without history.
[[nodiscard]] RestartIdentity identity_in(const api::Pod& pod, std::string_view container);

}  // namespace berth::lifecycle
