// SPDX-License-Identifier: Apache-2.0

// The cgroup driver: berthd creates a pod's cgroup, the runtime creates its containers' cgroups
// below it, and both must use the same driver. As in the kubelet, the runtime's driver takes
// precedence if the runtime reports one (RuntimeConfig: containerd 2.0 or later, CRI-O). Pure.
#pragma once

#include <optional>
#include <string>

#include "cri/runtime_setup.hpp"
#include "node/node_config.hpp"

namespace berth::node {

struct DriverChoice {
  CgroupDriver driver = CgroupDriver::kCgroupfs;
  // The runtime has not answered yet: once it does, choose again, before any pod is started.
  bool provisional = false;
  std::string overridden{};  // a sentence that the runtime's takes precedence; empty if it need not
  std::string refusal{};     // why no pod can run here, and what to change; empty if pods can
};

struct DriverQuestion {
  CgroupDriver configured = CgroupDriver::kCgroupfs;
  std::optional<cri::Features> runtime{};  // its answer; unset if it does not answer
  bool systemd_manages_services = false;   // without it there are no slices
  std::string config_file{};               // berthd's own
};

// The driver for this start. If the runtime does not report one, the configuration decides.
[[nodiscard]] DriverChoice choose_cgroup_driver(const DriverQuestion& question);

// The driver that a berthd starting now would use, given what else is known about the runtime.
[[nodiscard]] CgroupDriver driver_at_start(CgroupDriver configured,
                                           const cri::RuntimeSetup& runtime);

// Whether the runtime implements RuntimeConfig, and so reports its driver to berthd.
[[nodiscard]] bool reports_its_driver(const cri::Version& version);

struct DriverConflict {
  std::string problem{};  // which driver is whose
  std::string advice{};   // the two fixes

  [[nodiscard]] std::string sentence() const { return problem + ": " + advice; }
};

// Unset if the runtime's driver is ours, or if it does not report one (then the configured one is
// trusted, as by the kubelet). Otherwise no pod can be started, and there are two fixes. On
// berthd's side: a restart if the runtime reports its driver to it, else a change of a named line
// of a named file. On the runtime's side: a change of its configuration. `config_file` is berthd's
// own.
[[nodiscard]] std::optional<DriverConflict> cgroup_driver_conflict(CgroupDriver ours,
                                                                   const cri::RuntimeSetup& runtime,
                                                                   const std::string& config_file);

// The same as a sentence; empty if there is no conflict.
[[nodiscard]] std::string cgroup_driver_refusal(CgroupDriver ours, const cri::RuntimeSetup& runtime,
                                                const std::string& config_file);

}  // namespace berth::node
