// What is not as it should be on this node, and what a kubelet that took over from here would do
// differently: the findings of `berthctl doctor`. Pure: who asks hands in what is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/finding.hpp"
#include "agent/manifest_report.hpp"
#include "agent/settings.hpp"
#include "api/pod.hpp"
#include "cri/runtime_setup.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_events.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

// The state file, as far as something may be wrong with it.
struct StoreTroubles {
  std::string failing_since{};  // empty: all is well
  std::string error{};
  std::uint64_t history_dropped = 0;
  std::uint64_t unreadable_pods = 0;
  std::string moved_aside{};
};

// A pod that is shown, and the file that wishes it (empty: none does any more).
struct WishedPod {
  lifecycle::PodPtr pod{};
  std::string file{};
};

struct ManifestText {
  std::string file{};
  std::string content{};
};

// The runtime, as it told when it was asked just now.
struct RuntimeLook {
  std::string error{};  // it does not answer; empty: it does
  cri::RuntimeSetup setup{};
  bool sandbox_image_missing = false;
};

struct DoctorInput {
  const Settings& settings;
  // Why berthd does not answer; empty: it is the one who asks. A berthd that is silent knows
  // nothing of its pods, and nobody else looks into its store.
  std::string silent{};
  std::vector<ConfigProblem> refused{};  // what it would refuse in its configuration
  node::CgroupDriver cgroup_driver = node::CgroupDriver::kCgroupfs;
  RuntimeLook runtime{};
  bool events_connected = true;
  std::uint64_t missed_events = 0;
  StoreTroubles store{};
  std::vector<std::string>
      read_only{};  // folders of berthd's that cannot be written (read_only_folders)
  const ManifestReport& manifests;
  std::vector<ManifestText> texts{};  // of the files that wish pods, as they are now
  std::vector<WishedPod> pods{};
  std::vector<lifecycle::HeldPod> held{};
};

// By area, in the order named above.
[[nodiscard]] std::vector<Finding> examine(const DoctorInput& input);

}  // namespace berth::agent
