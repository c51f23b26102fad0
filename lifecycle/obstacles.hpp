// SPDX-License-Identifier: Apache-2.0

// External obstacles that keep a pod from making progress: the runtime refuses to stop or remove
// something, the system holds its files, or the store has not recorded how the pod ended. Shown in
// `why`, `status` and `doctor`, with what an operator can do about them. Plain values, pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

enum class ObstacleKind : std::uint8_t {
  kStop,        // StopContainer or StopPodSandbox fails
  kRemoval,     // RemoveContainer or RemovePodSandbox fails
  kCleanup,     // its directories, mounts or cgroup cannot be removed
  kFinalPhase,  // the pod has ended, which is shown once the store has recorded it
};

struct Obstacle {
  ObstacleKind kind = ObstacleKind::kStop;
  std::string id{};         // of the container or sandbox; empty for the node or the store
  std::string container{};  // its name; empty for the sandbox
  std::string error{};      // as the refusing side words it; empty if it has not answered yet
  WallTime since{};

  bool operator==(const Obstacle&) const = default;
};

// The obstacles of one pod, each once.
class Obstacles {
 public:
  // Adds the obstacle. True if it is new, or its error has changed. `since` stays that of the first
  // time.
  bool met(Obstacle obstacle);
  void gone(ObstacleKind kind, std::string_view id);
  [[nodiscard]] const std::vector<Obstacle>& all() const { return all_; }

 private:
  std::vector<Obstacle> all_{};
};

// A pod that cannot make progress, and what it waits for.
struct HeldPod {
  PodPtr pod{};
  Obstacle obstacle{};
  std::string lost_task_of{};  // the container whose task the runtime has lost; empty if unknown
};

// A clause: "the runtime refuses to remove its sandbox 1234: …".
[[nodiscard]] std::string obstacle_text(const Obstacle& obstacle);

// The id of the lost task (which is the container's), if `error` is such a refusal: containerd
// reports a task that it has lost as running, and refuses to delete its container. CRI offers no
// remedy.
[[nodiscard]] std::optional<std::string> lost_task(std::string_view error);

// The runtime's endpoint, for the command lines in the advice.
struct RuntimeSocket {
  std::string endpoint{};  // "unix:///run/containerd/containerd.sock"
};
// What an operator can do, or has to wait for, as a clause.
[[nodiscard]] std::string obstacle_advice(const HeldPod& held, const RuntimeSocket& socket);

}  // namespace berth::lifecycle
