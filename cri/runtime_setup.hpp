// How a container runtime is set up, as far as it tells: what berthd must agree with it about, and
// what an operator may have forgotten.
#pragma once

#include <optional>
#include <string>

#include "cri/types.hpp"

namespace berth::cri {

struct RuntimeSetup {
  Version version{};
  RuntimeStatus status{};
  // "cgroupfs" or "systemd": what RuntimeConfig says (containerd from 2.0 on, CRI-O), else what the
  // configuration in the verbose status says (containerd before that). None: it does not tell.
  std::optional<std::string> cgroup_driver{};
  // From the verbose status; empty where it does not tell.
  std::string default_handler{};  // "runc"
  std::string sandbox_image{};    // "registry.k8s.io/pause:3.6"
  std::string cni_conf_dir{};     // "/etc/cni/net.d"

  bool operator==(const RuntimeSetup&) const = default;
};

}  // namespace berth::cri
