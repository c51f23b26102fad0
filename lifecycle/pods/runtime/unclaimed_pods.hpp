// SPDX-License-Identifier: Apache-2.0

// What the runtime has of pods and no worker has taken over yet, by uid.
//
// Plain data. Loop thread only.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

class UnclaimedPods {
 public:
  // Replaces everything by what the runtime had at start.
  void set(const RuntimeListing& listing) { pods_ = listing; }
  // Keeps what the runtime has of the pod until it is claimed; replaces what was kept before.
  void keep(const std::string& uid, ListedPod listed) {
    pods_.insert_or_assign(uid, std::move(listed));
  }
  // Removes and returns what there is of the pod; unset if there is nothing.
  [[nodiscard]] std::optional<ListedPod> claim(const std::string& uid);

  [[nodiscard]] bool contains(const std::string& uid) const { return pods_.contains(uid); }
  [[nodiscard]] const RuntimeListing& all() const { return pods_; }

 private:
  RuntimeListing pods_{};
};

}  // namespace berth::lifecycle
