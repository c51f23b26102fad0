// SPDX-License-Identifier: Apache-2.0

// One container's start: the record of how far it has come.
//
//   image ──▶ files ──▶ create ──▶ start ──▶ postStart ──▶ it runs
//
// Every instance of a container goes through these steps anew, while the record stays: the number
// of the next instance, why the last start failed, and what is being done for the next one. The
// part of it that outlives berthd is in PodMemory. Wall time. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "lifecycle/worker/hook_outcome.hpp"
#include "lifecycle/worker/starts/pull_outcome.hpp"
#include "node/container/container_files.hpp"

namespace berth::lifecycle {

struct ImagePull {
  std::string image{};
  std::optional<Result<PulledImage>> outcome{};  // unset while it is under way
  WallTime ended{};                              // set once there is an outcome
  bool counted = false;  // as a failure in the backoff, before the failure was reported
};

// The files of a container's next instance, made before its turn.
struct ContainerFilesReady {
  std::uint32_t attempt = 0;
  std::vector<std::string> pod_ips{};
  node::ContainerFiles files{};
};

// A StartContainer call whose success the runtime does not show yet. It counts for the restart
// backoff once the runtime does.
struct PendingStart {
  std::string id{};
  RestartIdentity identity{};
  std::optional<WallTime> last_exit{};  // of the instance before it; unset for the first
  WallTime at{};
};

// The postStart hook of a running container.
struct PostStartHook {
  std::string id{};                      // of the container
  std::optional<HookOutcome> outcome{};  // unset while the hook runs
};

struct ContainerStartRecord {
  std::optional<std::uint32_t> next_attempt{};  // unset if unknown; a number is never reused
  std::optional<ImagePull> pull{};
  bool making_files = false;  // before its turn
  std::optional<ContainerFilesReady> files{};
  std::optional<PendingStart> pending{};
  std::optional<PostStartHook> post_start{};
  std::optional<StartError> error{};        // its waiting reason; unset if its last start succeeded
  std::optional<WallTime> refused_until{};  // the last backoff window that was reported
};

}  // namespace berth::lifecycle
