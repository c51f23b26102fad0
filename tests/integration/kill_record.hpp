// SPDX-License-Identifier: Apache-2.0

// Compares what was shown of a node's pods before berthd was killed with everything shown after.
//
// Each state of a pod is compared with the previous one (shown_changes.hpp), whichever berthd
// showed it; whole lists with their expected content; and the exits of containers, as the runtime
// reports them, with the deadlines shown before. Comparisons are counted, so that a run without any
// does not pass as a proof.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "tests/integration/runtime_tasks.hpp"
#include "tests/integration/shown_changes.hpp"

namespace berth::integration {

// Each berthd that takes over a stop in progress gives it at least this long.
inline constexpr std::chrono::seconds kShortestStop{2};

struct Compared {
  int looks = 0;         // states looked at, one pod each
  int across_kills = 0;  // of these, compared with a state that an earlier berthd showed
  // Part of across_kills:
  int ids = 0;
  int ready = 0;       // containers that were ready
  int backoffs = 0;    // containers that waited for the same start before and after
  int deadlines = 0;   // pods being stopped
  int next_times = 0;  // times of the next start or pull, from `berthctl why`
  int lists = 0;       // lists from a ready berthd
  int restarts = 0;
  int kills = 0;  // kills of pods that ignore TERM, as reported by the runtime
};

// When the container (by its id without the runtime's name) was sent KILL; unset if it was not.
using KillSent = std::function<std::optional<WallTime>(const std::string& id)>;

class KillRecord {
 public:
  // From 1.7 on, if the caller dies while it starts a command in a container, containerd withholds
  // that container's exit for up to 30 s. So a container counts as ended when it was sent KILL,
  // whatever the runtime reports by then.
  explicit KillRecord(KillSent kill_sent) : kill_sent_(std::move(kill_sent)) {}

  // A new berthd runs from here on.
  void killed(WallTime now);

  // One shown state of a pod; call in the order in which one watch showed them.
  [[nodiscard]] Differences look(const api::Pod& shown, WallTime now);
  // The complete list from a ready berthd: no pod may be missing. States are not compared, because
  // the watch may show older or newer ones at that moment.
  [[nodiscard]] Differences list(const std::vector<api::Pod>& shown, WallTime now);
  // The manifest of the pod (by its full name) was removed.
  void manifest_removed(const std::string& name) { manifests_removed_.insert(name); }
  // The time of the next start of the pod's container, or of the next pull of its image.
  [[nodiscard]] Differences compare_next(const api::Pod& pod, WallTime next, WallTime now);
  [[nodiscard]] Differences exited(const ContainerExit& exit);

  // Whether some pod was last shown running, was not killed, and is past its deadline.
  [[nodiscard]] bool someone_outlives_deadline(WallTime now) const;

  [[nodiscard]] const Compared& compared() const { return compared_; }

 private:
  struct NextTime {
    WallTime next{};
    int life = 0;
  };
  struct Known {
    api::Pod shown{};
    int life = 0;
    WallTime since{};  // when this state was first shown
    std::optional<NextTime> next_time{};
  };

  [[nodiscard]] bool may_go(const api::Pod& pod) const;
  [[nodiscard]] bool runs_on(const api::Pod& pod) const;
  void compare(Known& known, const api::Pod& shown, ShownAt at, Differences& found);
  void count(const Known& before, const api::Pod& after);

  KillSent kill_sent_;
  std::map<std::string, Known> pods_{};              // by uid
  std::map<std::string, std::string> containers_{};  // uids by containerID
  std::map<std::string, int> gone_{};                // uids, with the life in which each went
  std::set<std::string> manifests_removed_{};        // full names
  int life_ = 0;
  WallTime killed_at_{};
  std::vector<WallTime> kills_{};  // by the life that each ended
  Compared compared_{};
};

}  // namespace berth::integration
