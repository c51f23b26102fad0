// SPDX-License-Identifier: Apache-2.0

// Everything the runtime lists, by pod, and how it differs from what the workers believe.
//
// Pure. A difference is a hint: a stale pod looks for itself, an unknown one is ended and cleaned
// up. A pod that changed while the listing was under way (its revision moved) is not judged by it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// What of one pod the runtime lists; only what carries a pod uid label is anybody's pod.
struct ListedPod {
  std::vector<cri::PodSandbox> sandboxes{};
  std::vector<cri::Container> containers{};
  // Sandboxes with this uid that neither berthd nor a kubelet made: they and what is in them are
  // nobody's business here.
  std::vector<cri::SandboxId> foreign{};
};

// By pod uid. What says no uid, or one that no pod can have, is not ours and not listed; nor is a
// uid of which there are foreign sandboxes alone.
using RuntimeListing = std::map<std::string, ListedPod>;

[[nodiscard]] RuntimeListing group_by_pod(std::vector<cri::PodSandbox> sandboxes,
                                          std::vector<cri::Container> containers);

// The same of one pod, of which all are.
[[nodiscard]] ListedPod listed_pod(std::vector<cri::PodSandbox> sandboxes,
                                   std::vector<cri::Container> containers);

// What a worker believes: state by id.
struct BelievedPod {
  std::uint64_t revision = 0;
  bool settled = true;  // false: it awaits what the runtime does not show yet
  std::map<std::string, cri::SandboxState> sandboxes{};
  std::map<std::string, cri::ContainerState> containers{};
};

struct RelistFindings {
  std::map<std::string, std::string> stale{};  // uid → what differs, a sentence
  std::vector<std::string> unknown{};          // uids nobody here knows
};

// `before` was taken when the listing began, `now` when it came back.
[[nodiscard]] RelistFindings compare_listing(const RuntimeListing& listing,
                                             const std::map<std::string, BelievedPod>& before,
                                             const std::map<std::string, BelievedPod>& now);

// A stand-in for the lost spec of a pod that only the runtime knows: names from labels, no policy.
[[nodiscard]] PodPtr pod_from_listing(const std::string& uid, const ListedPod& listed);

}  // namespace berth::lifecycle
