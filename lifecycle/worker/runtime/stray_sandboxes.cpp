// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/stray_sandboxes.hpp"

#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/runtime/observed_pod.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

const std::string* find(const cri::StringMap& annotations, const char* key) {
  const auto found = annotations.find(key);
  return found == annotations.end() ? nullptr : &found->second;
}

}  // namespace

bool made_for_another(const cri::StringMap& annotations, const api::Pod& pod) {
  const auto of_pod = pod.metadata.annotations.find(node::kAnnotationManifest);
  if (of_pod == pod.metadata.annotations.end()) return false;
  const auto* manifest = find(annotations, node::kAnnotationManifest);
  const auto* incarnation = find(annotations, node::kAnnotationIncarnation);
  if (manifest == nullptr || incarnation == nullptr) return false;
  return *manifest != of_pod->second || *incarnation != std::to_string(incarnation_of(pod));
}

std::set<std::string> stray_sandboxes(const ObservedPod& observed, const api::Pod& pod) {
  std::set<std::string> strays;
  for (const auto& [id, sandbox] : observed.sandboxes())
    if (made_for_another(sandbox.annotations, pod)) strays.insert(id);
  if (strays.empty()) return strays;
  for (const auto& [id, container] : observed.containers()) strays.erase(container.sandbox);
  return strays;
}

}  // namespace berth::lifecycle
