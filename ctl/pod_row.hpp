// SPDX-License-Identifier: Apache-2.0

// A pod as one line of `get pods`, with kubectl's READY, STATUS and RESTARTS. Pure.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

// What kubectl derives from a pod's status: "Init:1/3", "PodInitializing", "CrashLoopBackOff",
// "Completed", "Error", "OOMKilled", "Terminating" …
struct PodSummary {
  int ready = 0;
  int total = 0;         // regular containers and sidecars
  std::string status{};  // the STATUS column
  int restarts = 0;
  std::optional<api::Time> last_restart{};
};

[[nodiscard]] PodSummary summarize(const api::Pod& pod);

struct PodColumns {
  bool with_namespace = false;
  bool wide = false;
};

[[nodiscard]] Row pod_header(PodColumns columns);
[[nodiscard]] Row pod_row(const api::Pod& pod, PodColumns columns, WallTime now);

}  // namespace berth::ctl
