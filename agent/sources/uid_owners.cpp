// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/uid_owners.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace berth::agent {

std::string full_name(const api::Pod& pod) {
  return pod.metadata.namespace_ + "/" + pod.metadata.name;
}

std::string duplicate_name_text(const api::Pod& pod) {
  const auto& meta = pod.metadata;
  return fmt::format(
      "Error validating pod {}_{}({}) from file due to duplicate pod name \"{}\", ignoring",
      meta.name, meta.namespace_, meta.uid, meta.name);
}

std::vector<std::size_t> UidOwners::settle(const std::vector<const api::Pod*>& pods,
                                           const std::vector<FoundPod>& found) {
  std::map<std::string, std::size_t> owners;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto [owner, first] = owners.emplace(pods[i]->metadata.uid, i);
    if (!first && had(*pods[i], found) && !had(*pods[owner->second], found)) owner->second = i;
  }
  std::map<std::string, std::string> names;
  for (const auto& [uid, owner] : owners) names[uid] = full_name(*pods[owner]);
  names_ = std::move(names);
  std::vector<std::size_t> result;
  result.reserve(pods.size());
  for (const api::Pod* pod : pods) result.push_back(owners.at(pod->metadata.uid));
  return result;
}

bool UidOwners::had(const api::Pod& pod, const std::vector<FoundPod>& found) const {
  if (const auto known = names_.find(pod.metadata.uid); known != names_.end())
    return known->second == full_name(pod);
  return std::ranges::any_of(found, [&pod](const FoundPod& one) {
    return one.uid == pod.metadata.uid && one.name == pod.metadata.name &&
           one.namespace_ == pod.metadata.namespace_;
  });
}

}  // namespace berth::agent
