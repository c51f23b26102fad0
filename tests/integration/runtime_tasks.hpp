// What containerd's own tool says of tasks: `ctr tasks ls` and `ctr events`. Pure, but for
// `is_alive`.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/clock_types.hpp"

namespace berth::integration {

struct RuntimeTask {
  std::string id{};
  pid_t pid = 0;
  std::string status{};  // RUNNING, STOPPED (what CRI calls exited) …
};

[[nodiscard]] std::vector<RuntimeTask> parse_tasks(const std::string& listed);

// A container's end.
struct ContainerExit {
  std::string id{};
  int code = 0;
  WallTime at{};
};

// None: the line tells of something else, the end of a command in a container too.
[[nodiscard]] std::optional<ContainerExit> parse_exit(const std::string& line);

// The tasks of which the runtime said, in berthd's log, that it does not delete them.
[[nodiscard]] std::set<std::string> refused_deletions(const std::string& log);

// Whether containerd says, in its own log, that it could not take down the sandbox of a call whose
// caller had died, and later that it removed it. CRI knows nothing of it then, and its task and its
// container are left.
[[nodiscard]] bool removed_by_word_alone(const std::string& containerd_log, const std::string& id);

[[nodiscard]] bool is_alive(pid_t pid);

}  // namespace berth::integration
