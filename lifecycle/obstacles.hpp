// SPDX-License-Identifier: Apache-2.0

// What keeps a pod from going on although it should, and lies with others: the runtime that refuses
// to stop or to remove something, the system that holds its files, the store that has not taken how
// the pod ended. Told in `why`, `status` and `doctor`, with what an operator can do about it. Plain
// values, pure.
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
  kFinalPhase,  // the pod has ended, which is shown once the store has it
};

struct Obstacle {
  ObstacleKind kind = ObstacleKind::kStop;
  std::string id{};         // of the container or sandbox; empty: it is the node or the store
  std::string container{};  // its name; empty: the sandbox
  std::string error{};      // in the words of who refuses; empty: there is no answer yet
  WallTime since{};

  bool operator==(const Obstacle&) const = default;
};

// Those of one pod, each once.
class Obstacles {
 public:
  // Whether that is news: it was not there, or was there for another reason. `since` stays that of
  // the first time.
  bool met(Obstacle obstacle);
  void gone(ObstacleKind kind, std::string_view id);
  [[nodiscard]] const std::vector<Obstacle>& all() const { return all_; }

 private:
  std::vector<Obstacle> all_{};
};

// A pod that cannot go on as it should, and what it waits for.
struct HeldPod {
  PodPtr pod{};
  Obstacle obstacle{};
  std::string lost_task_of{};  // the container whose task the runtime has lost; empty: not known
};

// A clause: "the runtime refuses to remove its sandbox 1234: …".
[[nodiscard]] std::string obstacle_text(const Obstacle& obstacle);

// containerd calls a task that it has lost a running one, and refuses to delete its container. CRI
// has nothing against it. Its id, which is the container's, if the refusal is of that kind.
[[nodiscard]] std::optional<std::string> lost_task(std::string_view error);

// Whose command line the advice is for.
struct RuntimeSocket {
  std::string endpoint{};  // "unix:///run/containerd/containerd.sock"
};
// What an operator can do, or has to wait for: a clause.
[[nodiscard]] std::string obstacle_advice(const HeldPod& held, const RuntimeSocket& socket);

}  // namespace berth::lifecycle
