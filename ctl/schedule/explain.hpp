// SPDX-License-Identifier: Apache-2.0

// berthctl schedule explain: why a pod is placed where it is, over objects from files or over
// berthd's own.
#pragma once

#include <string>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

struct ExplainOptions {
  std::string pod{};                 // its name, if there are several
  std::string pod_file{};            // "-": stdin; empty if the pod is among the objects
  std::vector<std::string> files{};  // of nodes, pods and other objects; empty to ask berthd
  std::string config_file{};         // a KubeSchedulerConfiguration; empty: the default profile
  bool spread = false;
  bool all = false;
};

// The exit code shows whether the pod can be placed: kOk, kNotPlaceable. Invalid input is kInvalid,
// and all its problems are printed on stderr.
Outcome explain_schedule(const Options& options, const ExplainOptions& asked);

}  // namespace berth::ctl
