// SPDX-License-Identifier: Apache-2.0

// Everything the runtime lists, by pod, and how it differs from what the workers believe.
//
// Pure. A difference is a hint: the worker of a stale pod reads it anew, an unknown pod is ended
// and cleaned up. A pod that changed while the listing was under way (its revision moved) is not
// compared.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// What the runtime lists of one pod. Only objects with a pod uid label belong to a pod.
struct ListedPod {
  std::vector<cri::PodSandbox> sandboxes{};
  std::vector<cri::Container> containers{};
  // Sandboxes with this uid that neither berthd nor a kubelet made: they and their containers are
  // not ours to manage.
  std::vector<cri::SandboxId> foreign{};
};

// By pod uid. Objects without a uid, or with one that no pod can have, are not ours and not
// included; nor is a uid with only foreign sandboxes.
using RuntimeListing = std::map<std::string, ListedPod>;

[[nodiscard]] RuntimeListing group_by_pod(std::vector<cri::PodSandbox> sandboxes,
                                          std::vector<cri::Container> containers);

// The same for one pod, to which all the arguments belong.
[[nodiscard]] ListedPod listed_pod(std::vector<cri::PodSandbox> sandboxes,
                                   std::vector<cri::Container> containers);

// What a worker believes about the runtime: state by id.
struct BelievedPod {
  std::uint64_t revision = 0;
  bool settled = true;  // false while it awaits something that the runtime does not show yet
  std::map<std::string, cri::SandboxState> sandboxes{};
  std::map<std::string, cri::ContainerState> containers{};
};

struct RelistFindings {
  std::map<std::string, std::string> stale{};  // uid → what differs, a sentence
  std::vector<std::string> unknown{};          // uids that no worker knows
};

// `before` was taken when the listing began, `now` when it returned.
[[nodiscard]] RelistFindings compare_listing(const RuntimeListing& listing,
                                             const std::map<std::string, BelievedPod>& before,
                                             const std::map<std::string, BelievedPod>& now);

// A stand-in for the lost spec of a pod that only the runtime knows: names from labels, the number
// of the incarnation from its sandbox, no policy.
[[nodiscard]] PodPtr pod_from_listing(const std::string& uid, const ListedPod& listed);

}  // namespace berth::lifecycle
