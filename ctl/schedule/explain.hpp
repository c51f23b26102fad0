// berthctl schedule explain: why a pod goes where it goes, over the objects of files or over what
// berthd runs.
#pragma once

#include <string>
#include <vector>

#include "ctl/command.hpp"

namespace berth::ctl {

struct ExplainOptions {
  std::string pod{};                 // its name, where there is more than one
  std::string pod_file{};            // "-": stdin; empty: the pod is among the objects
  std::vector<std::string> files{};  // of nodes, pods and other objects; none: berthd is asked
  std::string config_file{};         // a KubeSchedulerConfiguration; empty: the default profile
  bool spread = false;
  bool all = false;
};

// The exit code says whether the pod can be placed: kOk, kNotPlaceable. Input that is wrong is
// kInvalid, and all that is wrong with it is said on stderr.
Outcome explain_schedule(const Options& options, const ExplainOptions& asked);

}  // namespace berth::ctl
