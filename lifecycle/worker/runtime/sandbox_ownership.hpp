// SPDX-License-Identifier: Apache-2.0

// Which of the sandboxes that carry a pod's uid are the pod's own.
//
// Labels and annotations can be copied: a sandbox that somebody else starts with those of a running
// pod must not make berthd restart that pod. Therefore, while a sandbox known to be the pod's is
// ready, another is the pod's only if berthd requested it, which its attempt shows: it is part of
// the name, and names are unique in the runtime. Otherwise the annotations decide
// (runtime_listing.hpp): the store may be lost or older than what runs, and a sandbox may have been
// created by a berthd that was killed, or by a kubelet. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class SandboxOwnership {
 public:
  SandboxOwnership() = default;
  // `recalled`: the ids that the store had when the worker began.
  explicit SandboxOwnership(std::set<std::string> recalled) : ids_(std::move(recalled)) {}

  // The lowest attempt from this one on that no foreign sandbox has.
  [[nodiscard]] std::uint32_t free_attempt(std::uint32_t from) const;
  // The runtime is about to be asked for a sandbox with this attempt.
  void ask(std::uint32_t attempt) { asked_ = attempt; }
  // The sandbox is the pod's.
  void own(const std::string& id, std::uint32_t attempt);
  // These are all that the pod has now, as a complete reading shows.
  void own_only(const std::map<std::string, cri::PodSandboxStatus>& sandboxes);
  void disown(const std::string& id) { ids_.erase(id); }

  // Moves sandboxes that are not the pod's to the listing's foreign ones, where they stay. One that
  // was requested for an earlier pod of this uid is not moved, so that the pod removes it, unless
  // it has containers. Returns the ids that the previous listing did not have there.
  [[nodiscard]] std::vector<std::string> set_foreign_apart(ListedPod& listed, const api::Pod& pod);

  // Ids of the pod's own sandboxes.
  [[nodiscard]] const std::set<std::string>& ids() const { return ids_; }
  // The foreign sandboxes of the last listing.
  [[nodiscard]] std::set<std::string> foreign_ids() const;

 private:
  [[nodiscard]] bool owns(const cri::PodSandbox& sandbox, const api::Pod& pod) const;

  std::set<std::string> ids_{};
  std::optional<std::uint32_t> asked_{};            // an attempt, until its sandbox is known
  std::map<std::string, std::uint32_t> foreign_{};  // attempts, by id
};

}  // namespace berth::lifecycle
