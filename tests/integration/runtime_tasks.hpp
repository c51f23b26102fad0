// SPDX-License-Identifier: Apache-2.0

// Parses what containerd's own tool prints about tasks: `ctr tasks ls` and `ctr events`. Pure,
// except for `is_alive`.
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

// The exit of a container.
struct ContainerExit {
  std::string id{};
  int code = 0;
  WallTime at{};
};

// `std::nullopt` if the line is about something else, including the exit of a command in a
// container.
[[nodiscard]] std::optional<ContainerExit> parse_exit(const std::string& line);

// The tasks that the runtime refuses to delete, according to berthd's log.
[[nodiscard]] std::set<std::string> refused_deletions(const std::string& log);

// Whether containerd's own log reports that it could not tear down the sandbox of a call whose
// caller had died, and later that it removed the sandbox. CRI no longer knows the sandbox then, but
// its task and its container remain.
[[nodiscard]] bool removed_by_word_alone(const std::string& containerd_log, const std::string& id);

// When the container was sent KILL, according to containerd's own log; unset if it was not.
[[nodiscard]] std::optional<WallTime> kill_sent(const std::string& containerd_log,
                                                const std::string& id);

[[nodiscard]] bool is_alive(pid_t pid);

}  // namespace berth::integration
