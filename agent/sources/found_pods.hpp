// SPDX-License-Identifier: Apache-2.0

// The pods that existed before this berthd started: the incarnation, age and creator of each, from
// the runtime's first listing and the store. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/manifest/manifest.hpp"
#include "base/clock_types.hpp"
#include "cri/types.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pods/beginning/incarnation_choice.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::agent {

// A pod that the runtime or the store had at start.
struct FoundPod {
  std::string uid{};
  std::uint32_t incarnation = 1;
  bool over = false;  // it ended, or was ordered to: its manifest now wants the next incarnation
  std::optional<WallTime> created_at{};
  std::optional<WallTime> config_seen{};
  // A kubelet created it, here or earlier: its uid cannot be computed, so it is identified by its
  // name and by what its containers were started from.
  bool from_kubelet = false;
  std::string namespace_{};
  std::string name{};
  std::map<std::string, cri::StringMap> containers{};  // annotations by container name
};

[[nodiscard]] std::vector<FoundPod> found_pods(
    const lifecycle::RuntimeListing& listing, const std::vector<lifecycle::PodMemoryPtr>& memories);

// Those among them that were made from this manifest here: their uids follow from it.
[[nodiscard]] std::vector<lifecycle::FoundIncarnation> made_from(
    const api::ManifestPod& manifest, const std::string& file, const std::string& node,
    const std::vector<FoundPod>& found);
// The same; if there is none, the one that a kubelet left for it.
[[nodiscard]] std::vector<lifecycle::FoundIncarnation> found_of(const api::ManifestPod& manifest,
                                                                const std::string& file,
                                                                const std::string& node,
                                                                const std::vector<FoundPod>& found);

}  // namespace berth::agent
