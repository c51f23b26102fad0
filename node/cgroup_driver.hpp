// SPDX-License-Identifier: Apache-2.0

// The cgroup driver: berthd creates a pod's cgroup, the runtime its containers' below it, and both
// must use the same driver. A runtime that reports its own (RuntimeConfig: containerd 2.0 or later,
// CRI-O) decides, as in the kubelet. Pure.
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
  std::string overridden{};  // how the runtime's takes precedence, a sentence; empty: it need not
  std::string refusal{};     // why no pod can run here, and what to change; empty: they can
};

struct DriverQuestion {
  CgroupDriver configured = CgroupDriver::kCgroupfs;
  std::optional<cri::Features> runtime{};  // its answer; unset: it does not answer
  bool systemd_manages_services = false;   // without it there are no slices
  std::string config_file{};               // berthd's own
};

// The driver of this start. A runtime that does not report one leaves it to the configuration.
[[nodiscard]] DriverChoice choose_cgroup_driver(const DriverQuestion& question);

// The driver of a berthd that would start now, by what else is known of the runtime.
[[nodiscard]] CgroupDriver driver_at_start(CgroupDriver configured,
                                           const cri::RuntimeSetup& runtime);

// Whether it answers RuntimeConfig, and so reports its driver to berthd.
[[nodiscard]] bool reports_its_driver(const cri::Version& version);

struct DriverConflict {
  std::string problem{};  // which driver is whose
  std::string advice{};   // the two fixes

  [[nodiscard]] std::string sentence() const { return problem + ": " + advice; }
};

// Unset if the runtime's driver is ours, or if it does not report one (then the configured one is
// trusted, as by the kubelet). Otherwise no pod can be started, and the two fixes are: a restart of
// berthd, if the runtime reports its driver to it, else which line of which file; and the line of
// the runtime's. `config_file` is berthd's own.
[[nodiscard]] std::optional<DriverConflict> cgroup_driver_conflict(CgroupDriver ours,
                                                                   const cri::RuntimeSetup& runtime,
                                                                   const std::string& config_file);

// The same as a sentence; empty: no conflict.
[[nodiscard]] std::string cgroup_driver_refusal(CgroupDriver ours, const cri::RuntimeSetup& runtime,
                                                const std::string& config_file);

}  // namespace berth::node
