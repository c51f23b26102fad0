// SPDX-License-Identifier: Apache-2.0

// Everything the runtime lists, by pod, and how it differs from what the workers believe.
//
// Pure. A difference is a hint: the worker of a stale pod reads it anew, an unknown pod is ended
// and cleaned up. A pod that changed while the listing was under way (its revision moved) is not
// compared.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cri/types.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::lifecycle {

// What the runtime lists of one pod. Only objects with a pod uid label belong to a pod.
struct ListedPod {
  std::vector<cri::PodSandbox> sandboxes{};
  std::vector<cri::Container> containers{};
  // Sandboxes with this uid that neither berthd nor a kubelet created, or that are not this pod's
  // (sandbox_ownership.hpp): berthd does not manage them and their containers.
  std::vector<cri::PodSandbox> foreign{};
};

// The pod uid in an object's labels; empty if there is none.
[[nodiscard]] std::string pod_uid_of(const cri::StringMap& labels);

// By pod uid. Objects without a uid, or with one that no pod can have, are not ours and not
// included; nor are containers in another pod's sandbox, or a uid with only foreign sandboxes.
using RuntimeListing = std::map<std::string, ListedPod>;

[[nodiscard]] RuntimeListing group_by_pod(std::vector<cri::PodSandbox> sandboxes,
                                          std::vector<cri::Container> containers);

// The same for one pod, to which all the arguments belong.
[[nodiscard]] ListedPod listed_pod(std::vector<cri::PodSandbox> sandboxes,
                                   std::vector<cri::Container> containers);

// Moves these sandboxes, with what is in them, to the foreign ones.
void set_apart(ListedPod& pod, const std::set<std::string>& foreign);

// What a worker believes about the runtime: state by id.
struct BelievedPod {
  std::uint64_t revision = 0;
  bool settled = true;  // false while it awaits something that the runtime does not show yet
  std::map<std::string, cri::SandboxState> sandboxes{};
  std::map<std::string, cri::ContainerState> containers{};
  std::set<std::string> foreign{};  // ids of sandboxes that have its uid and are not its own
};

struct Difference {
  std::string what{};  // a sentence
  // It shows that something stopped. berthd acts on no other events, so no other difference shows
  // that an event was lost: another client, or a call that came late, may have caused it.
  bool missed_event = false;
};

struct RelistFindings {
  std::map<std::string, Difference> stale{};  // by uid: a difference of each
  std::vector<std::string> unknown{};         // uids that no worker knows
};

// `before` was taken when the listing began, `now` when it returned.
[[nodiscard]] RelistFindings compare_listing(const RuntimeListing& listing,
                                             const std::map<std::string, BelievedPod>& before,
                                             const std::map<std::string, BelievedPod>& now);

// A stand-in for the lost spec of a pod that only the runtime knows: names from labels, the number
// of the incarnation from its sandbox, no policy.
[[nodiscard]] PodPtr pod_from_listing(const std::string& uid, const ListedPod& listed);

}  // namespace berth::lifecycle
