// SPDX-License-Identifier: Apache-2.0

// Problems of this node, and what a kubelet that took over from here would do differently: the
// findings of `berthctl doctor`. Pure: the caller passes what is known.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/doctor/finding.hpp"
#include "agent/doctor/machine_facts.hpp"
#include "agent/settings/settings.hpp"
#include "agent/shutdown/shutdown_complaint.hpp"
#include "agent/sources/manifest_report.hpp"
#include "api/pod.hpp"
#include "cri/runtime_setup.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_events.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

// What is known about the state file's problems.
struct StoreTroubles {
  std::string failing_since{};  // empty if all is well
  std::string error{};
  std::uint64_t history_dropped = 0;
  std::uint64_t unreadable_pods = 0;
  std::string moved_aside{};
};

// A shown pod, and the file that wants it (empty if none does any more).
struct DesiredPod {
  lifecycle::PodPtr pod{};
  std::string file{};
};

struct ManifestText {
  std::string file{};
  std::string content{};
};

// The runtime's state, queried just now.
struct RuntimeLook {
  std::string error{};  // why it does not answer; empty if it does
  cri::RuntimeSetup setup{};
  bool sandbox_image_missing = false;
  std::string image_folder{};  // where it keeps images; empty if it does not report that
};

// The event stream of the runtime, as it is now.
struct EventsLook {
  bool connected = true;
  std::string error{};  // why it is not
  std::uint64_t missed = 0;
};

struct CgroupLook {
  node::CgroupDriver driver = node::CgroupDriver::kCgroupfs;
  std::set<std::string> of_other_driver{};  // uids of pods in cgroups of another driver
};

// Which program examines. Only berthd knows its pods, and only berthd reads its store.
enum class Examiner : std::uint8_t {
  kBerthd,
  kBeforeStart,  // `berthd --check`, which starts nothing
  kInItsPlace,   // berthctl, because berthd does not answer
};

struct DoctorInput {
  const Settings& settings;
  Examiner examiner = Examiner::kBerthd;
  std::string silent{};                        // with kInItsPlace: why berthd does not answer
  std::optional<MachineFacts> machine{};       // unset if not examined
  std::vector<ConfigProblem> refused{};        // errors in its configuration
  std::vector<std::string> start_obstacles{};  // what would end berthd at its start (start_look)
  CgroupLook cgroups{};
  RuntimeLook runtime{};
  ShutdownComplaint shutdown_complaint{};  // of pods that could not be stopped in order
  EventsLook events{};
  StoreTroubles store{};
  std::vector<std::string>
      read_only{};  // folders of berthd that cannot be written (read_only_folders)
  const ManifestReport& manifests;
  std::vector<ManifestText> texts{};  // current texts of the files that want pods
  std::vector<DesiredPod> pods{};
  std::vector<lifecycle::HeldPod> held{};
};

// By area, in the order named above.
[[nodiscard]] std::vector<Finding> examine(const DoctorInput& input);

}  // namespace berth::agent
