// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/unclaimed_pods.hpp"

namespace berth::lifecycle {

std::optional<ListedPod> UnclaimedPods::claim(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return std::nullopt;
  ListedPod listed = std::move(found->second);
  pods_.erase(found);
  return listed;
}

}  // namespace berth::lifecycle
