// SPDX-License-Identifier: Apache-2.0

// A container runtime's setup, as far as the runtime reports it: settings that berthd must agree
// with, and settings that an operator may have forgotten.
#pragma once

#include <optional>
#include <string>

#include "cri/types.hpp"

namespace berth::cri {

struct RuntimeSetup {
  Version version{};
  RuntimeStatus status{};
  // "cgroupfs" or "systemd": from RuntimeConfig (containerd 2.0 or later, CRI-O), else from the
  // configuration in the verbose status (older containerd). Unset if not reported.
  std::optional<std::string> cgroup_driver{};
  // From the verbose status; empty if not reported.
  std::string default_handler{};  // "runc"
  std::string sandbox_image{};    // "registry.k8s.io/pause:3.6"
  std::string cni_conf_dir{};     // "/etc/cni/net.d"
  // Whether the runtime skips OOM scores that it is not permitted to lower; unset if not reported.
  std::optional<bool> restricts_oom_scores{};

  bool operator==(const RuntimeSetup&) const = default;
};

}  // namespace berth::cri
