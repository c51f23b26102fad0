// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/found_pods.hpp"

#include <algorithm>
#include <charconv>

#include "api/manifest/static_pod.hpp"
#include "lifecycle/container_identity.hpp"
#include "node/sandbox_config.hpp"

namespace berth::agent {
namespace {

const std::string* annotation(const cri::PodSandbox& sandbox, std::string_view key) {
  const auto found = sandbox.annotations.find(std::string(key));
  return found == sandbox.annotations.end() ? nullptr : &found->second;
}

void add_sandbox(FoundPod& one, const cri::PodSandbox& sandbox) {
  const auto created = cri::wall_time(sandbox.created_at);
  if (created && (!one.created_at || *created < *one.created_at)) one.created_at = created;
  if (const auto* number = annotation(sandbox, node::kAnnotationIncarnation)) {
    const auto* end = number->data() + number->size();
    std::uint32_t value = 0;
    const auto parsed = std::from_chars(number->data(), end, value);
    if (parsed.ptr == end && value > 0) one.incarnation = value;
  }
  if (const auto* seen = annotation(sandbox, api::kConfigSeen)) {
    if (const auto time = api::Time::parse(*seen)) one.config_seen = time->at;
  }
}

// A ready sandbox of a static pod without an annotation of ours, or one that replaced such a
// sandbox, as its annotation shows.
bool left_by_kubelet(const cri::PodSandbox& sandbox) {
  const auto* source = annotation(sandbox, api::kConfigSource);
  const bool ours = std::ranges::any_of(
      sandbox.annotations, [](const auto& entry) { return entry.first.starts_with("berth.dev/"); });
  const bool taken_over = annotation(sandbox, node::kAnnotationAdopted) != nullptr;
  return sandbox.state == cri::SandboxState::kReady && source != nullptr && *source != "api" &&
         (!ours || taken_over);
}

void note_kubelets_pod(FoundPod& one, const lifecycle::ListedPod& pod) {
  for (const auto& sandbox : pod.sandboxes) {
    if (!left_by_kubelet(sandbox)) continue;
    one.from_kubelet = true;
    one.namespace_ = sandbox.metadata.namespace_;
    one.name = sandbox.metadata.name;
  }
  if (!one.from_kubelet) return;
  for (const auto& container : pod.containers)
    one.containers[container.metadata.name] = container.annotations;
}

// A pod that was adopted before is recognised in the same way.
void note_adopted_pod(FoundPod& one, const api::Pod& pod) {
  if (!pod.metadata.annotations.contains(node::kAnnotationAdopted)) return;
  one.from_kubelet = true;
  one.namespace_ = pod.metadata.namespace_;
  one.name = pod.metadata.name;
  one.containers.clear();
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers})
    for (const auto& container : *list)
      one.containers[container.name] =
          lifecycle::identity_annotations(container.name, container.image);
}

void add_memory(FoundPod& one, const lifecycle::PodMemory& memory) {
  note_adopted_pod(one, *memory.pod);
  one.incarnation = static_cast<std::uint32_t>(memory.incarnation);
  // A collected pod is removed, and no other follows it.
  const bool ending =
      lifecycle::removes(memory.end) && memory.end->ending.cause != lifecycle::EndCause::kCollected;
  one.over = memory.verdict == lifecycle::Verdict::kEnded || ending;
  const auto& metadata = memory.pod->metadata;
  if (metadata.creationTimestamp) one.created_at = metadata.creationTimestamp->at;
  const auto seen = metadata.annotations.find(std::string(api::kConfigSeen));
  if (seen == metadata.annotations.end()) return;
  if (const auto time = api::Time::parse(seen->second)) one.config_seen = time->at;
}

lifecycle::FoundIncarnation as_incarnation(const FoundPod& found) {
  return {.uid = found.uid, .incarnation = found.incarnation, .over = found.over};
}

// A kubelet's pod of that name whose containers, if any, were started from what the manifest
// states. A manifest with a uid of its own needs no adoption.
bool runs_manifest(const FoundPod& found, const api::ManifestPod& manifest) {
  const api::Pod& pod = manifest.pod;
  if (!manifest.stated.metadata.uid.empty() || !found.from_kubelet ||
      found.name != pod.metadata.name || found.namespace_ != pod.metadata.namespace_)
    return false;
  std::map<std::string, std::string> images;
  for (const auto* containers : {&pod.spec.initContainers, &pod.spec.containers})
    for (const auto& container : *containers) images[container.name] = container.image;
  return std::ranges::all_of(found.containers, [&images](const auto& container) {
    const auto image = images.find(container.first);
    return image != images.end() &&
           !lifecycle::spec_changed(container.second, container.first, image->second);
  });
}

}  // namespace

std::vector<FoundPod> found_pods(const lifecycle::RuntimeListing& listing,
                                 const std::vector<lifecycle::PodMemoryPtr>& memories) {
  std::map<std::string, FoundPod> found;
  for (const auto& [uid, pod] : listing) {
    FoundPod one{.uid = uid};
    for (const auto& sandbox : pod.sandboxes) add_sandbox(one, sandbox);
    note_kubelets_pod(one, pod);
    found.emplace(uid, std::move(one));
  }
  for (const auto& memory : memories) {
    const auto entry = found.try_emplace(memory->uid, FoundPod{.uid = memory->uid}).first;
    add_memory(entry->second, *memory);
  }
  std::vector<FoundPod> all;
  for (auto& [uid, one] : found) all.push_back(std::move(one));
  return all;
}

std::vector<lifecycle::FoundIncarnation> made_from(const api::ManifestPod& manifest,
                                                   const std::string& file, const std::string& node,
                                                   const std::vector<FoundPod>& found) {
  const std::string& pinned = manifest.stated.metadata.uid;
  std::vector<lifecycle::FoundIncarnation> made;
  for (const FoundPod& one : found) {
    const api::StaticPodIdentity identity{
        .node_name = node, .file_name = file, .incarnation = one.incarnation};
    const std::string uid = pinned.empty() ? manifest.digest.uid(identity) : pinned;
    if (uid == one.uid) made.push_back(as_incarnation(one));
  }
  return made;
}

std::vector<lifecycle::FoundIncarnation> found_of(const api::ManifestPod& manifest,
                                                  const std::string& file, const std::string& node,
                                                  const std::vector<FoundPod>& found) {
  const auto made = made_from(manifest, file, node, found);
  if (!made.empty()) return made;
  const auto left = std::ranges::find_if(
      found, [&manifest](const FoundPod& one) { return runs_manifest(one, manifest); });
  if (left == found.end()) return {};
  auto adopted = as_incarnation(*left);
  adopted.from_kubelet = true;
  return {adopted};
}

}  // namespace berth::agent
