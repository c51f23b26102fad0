// SPDX-License-Identifier: Apache-2.0

// Which dead containers and sandboxes to remove.
//
// Pure. It has two uses: the pass once a minute over pods' remains (find_garbage), and the quick
// trim of one container's dead instances whenever one dies, which keeps a crash loop from filling
// the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "cri/types.hpp"

namespace berth::node {

// How much of a pod that the runtime shows is still needed.
enum class PodContent : std::uint8_t {
  kWanted,            // it runs, may run, or its remains are shown
  kRuntimeRemovable,  // finished; the object still exists
  kGone,              // only the runtime still holds anything of it
};

struct ContainerGcPolicy {
  std::chrono::nanoseconds min_age{0};
  std::int32_t max_per_pod_container = 1;  // dead instances kept per name; < 0: all
  std::int32_t max_containers = -1;        // dead ones on the node; < 0: unlimited
};

struct GcContainer {
  cri::ContainerId id{};
  cri::SandboxId sandbox{};
  std::string pod_uid{};
  std::string name{};
  cri::ContainerState state = cri::ContainerState::kUnknown;
  WallTime created{};
};

struct GcSandbox {
  cri::SandboxId id{};
  std::string pod_uid{};
  cri::SandboxState state = cri::SandboxState::kNotReady;
  WallTime created{};
};

struct GcInput {
  ContainerGcPolicy policy{};
  bool all_sources_ready = false;            // false: a missing pod may just not have been read yet
  bool remove_finished_pods = false;         // under disk pressure: remove finished pods' remains
                                             // too
  std::map<std::string, PodContent> pods{};  // by uid; a missing one is gone
  std::vector<GcContainer> containers{};
  std::vector<GcSandbox> sandboxes{};
  WallTime now{};
};

struct ContainersToRemove {
  std::vector<cri::ContainerId> stop{};    // in unknown state: stop before removal
  std::vector<cri::ContainerId> remove{};  // oldest first
};

struct Garbage {
  ContainersToRemove containers{};
  std::vector<cri::SandboxId> sandboxes{};  // after their containers; oldest first per pod

  [[nodiscard]] bool empty() const { return containers.remove.empty() && sandboxes.empty(); }
};

// One pass: containers first, then the sandboxes that are left empty, each stopped and then
// removed.
[[nodiscard]] Garbage find_garbage(GcInput input);

// Dead instances of one container name to remove when another instance has died: all but the newest
// `keep`, oldest first.
[[nodiscard]] std::vector<cri::ContainerId> dead_instances_to_trim(
    const std::vector<GcContainer>& instances, std::size_t keep);

}  // namespace berth::node
