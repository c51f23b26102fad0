// SPDX-License-Identifier: Apache-2.0

// How admission would decide today about running pods.
#include <fmt/format.h>

#include "agent/serve/control_calls.hpp"

namespace berth::agent {

RefusalsToday refusals_today(const ControlSources& from) {
  RefusalsToday refusals;
  for (const auto& pod : from.pods.snapshot()) {
    const bool over = pod->status.phase == "Failed" || pod->status.phase == "Succeeded";
    std::string refusal = over ? std::string() : from.manifests.class_refusal(*pod);
    if (!refusal.empty()) refusals.emplace(pod->metadata.uid, std::move(refusal));
  }
  for (const auto& refused : from.pods.refused_today())
    refusals.emplace(refused.uid, fmt::format("{}: {}", refused.reason, refused.message));
  return refusals;
}

std::string refusal_warning(const RefusalsToday& refusals, const api::Pod& pod) {
  const auto found = refusals.find(pod.metadata.uid);
  if (found == refusals.end()) return {};
  return fmt::format(
      "pod {}/{} would not be admitted today, but keeps running: running pods are not checked "
      "again: "
      "{}",
      pod.metadata.namespace_, pod.metadata.name, found->second);
}

}  // namespace berth::agent
