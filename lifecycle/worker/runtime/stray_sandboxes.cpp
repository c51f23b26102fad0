// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/stray_sandboxes.hpp"

#include "lifecycle/worker/pod_identity.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

const std::string* find(const cri::StringMap& annotations, const char* key) {
  const auto found = annotations.find(key);
  return found == annotations.end() ? nullptr : &found->second;
}

// A sandbox carries the annotations of the pod for which it was created. A kubelet's sandbox has
// none of berth's.
bool is_of_another(const cri::PodSandboxStatus& sandbox, const api::Pod& pod) {
  const auto* manifest = find(sandbox.annotations, node::kAnnotationManifest);
  const auto* incarnation = find(sandbox.annotations, node::kAnnotationIncarnation);
  if (manifest == nullptr || incarnation == nullptr) return false;
  return *manifest != pod.metadata.annotations.at(node::kAnnotationManifest) ||
         *incarnation != std::to_string(incarnation_of(pod));
}

}  // namespace

std::set<std::string> stray_sandboxes(const ObservedPod& observed, const api::Pod& pod) {
  std::set<std::string> strays;
  // A computed uid belongs to a single incarnation.
  if (!pod.metadata.annotations.contains(node::kAnnotationManifest)) return strays;
  for (const auto& [id, sandbox] : observed.sandboxes())
    if (is_of_another(sandbox, pod)) strays.insert(id);
  if (strays.empty()) return strays;
  for (const auto& [id, container] : observed.containers()) strays.erase(container.sandbox);
  return strays;
}

}  // namespace berth::lifecycle
