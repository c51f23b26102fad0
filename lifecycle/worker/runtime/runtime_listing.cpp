// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/runtime_listing.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "api/manifest/static_pod.hpp"
#include "api/pod_uid.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {
namespace {

std::string label(const cri::StringMap& labels, const char* key) {
  const auto found = labels.find(key);
  return found == labels.end() ? std::string{} : found->second;
}

// berthd's sandboxes carry its own annotation; a kubelet's carry the source of the pod.
bool is_ours(const cri::PodSandbox& sandbox) {
  return sandbox.annotations.contains(node::kAnnotationIncarnation) ||
         sandbox.annotations.contains(std::string(api::kConfigSource));
}

void set_foreign_apart(ListedPod& pod) {
  for (const auto& sandbox : pod.sandboxes)
    if (!is_ours(sandbox)) pod.foreign.push_back(sandbox.id);
  if (pod.foreign.empty()) return;
  std::erase_if(pod.sandboxes, [](const auto& sandbox) { return !is_ours(sandbox); });
  std::erase_if(pod.containers, [&pod](const auto& container) {
    return std::ranges::find(pod.foreign, container.pod_sandbox_id) != pod.foreign.end();
  });
}

std::string difference(const BelievedPod& believed, const ListedPod& listed) {
  std::set<std::string> seen;
  for (const auto& sandbox : listed.sandboxes) {
    const std::string& id = sandbox.id.str();
    seen.insert(id);
    const auto known = believed.sandboxes.find(id);
    if (known == believed.sandboxes.end()) return fmt::format("sandbox {} is new", id);
    if (known->second != sandbox.state) return fmt::format("sandbox {} changed its state", id);
  }
  for (const auto& container : listed.containers) {
    const std::string& id = container.id.str();
    seen.insert(id);
    const auto known = believed.containers.find(id);
    if (known == believed.containers.end()) return fmt::format("container {} is new", id);
    if (known->second != container.state) return fmt::format("container {} changed its state", id);
  }
  for (const auto& [id, state] : believed.sandboxes)
    if (!seen.contains(id)) return fmt::format("sandbox {} is gone", id);
  for (const auto& [id, state] : believed.containers)
    if (!seen.contains(id)) return fmt::format("container {} is gone", id);
  return {};
}

}  // namespace

RuntimeListing group_by_pod(std::vector<cri::PodSandbox> sandboxes,
                            std::vector<cri::Container> containers) {
  RuntimeListing listing;
  for (auto& sandbox : sandboxes) {
    std::string uid = label(sandbox.labels, cri::kLabelPodUid);
    if (api::is_pod_uid(uid)) listing[std::move(uid)].sandboxes.push_back(std::move(sandbox));
  }
  for (auto& container : containers) {
    std::string uid = label(container.labels, cri::kLabelPodUid);
    if (api::is_pod_uid(uid)) listing[std::move(uid)].containers.push_back(std::move(container));
  }
  for (auto& [uid, pod] : listing) set_foreign_apart(pod);
  std::erase_if(listing, [](const auto& entry) {
    return entry.second.sandboxes.empty() && entry.second.containers.empty();
  });
  return listing;
}

ListedPod listed_pod(std::vector<cri::PodSandbox> sandboxes,
                     std::vector<cri::Container> containers) {
  ListedPod listed{.sandboxes = std::move(sandboxes), .containers = std::move(containers)};
  set_foreign_apart(listed);
  return listed;
}

RelistFindings compare_listing(const RuntimeListing& listing,
                               const std::map<std::string, BelievedPod>& before,
                               const std::map<std::string, BelievedPod>& now) {
  RelistFindings findings;
  const ListedPod nothing;
  for (const auto& [uid, believed] : now) {
    const auto earlier = before.find(uid);
    if (earlier == before.end() || earlier->second.revision != believed.revision) continue;
    if (!believed.settled) continue;
    const auto listed = listing.find(uid);
    std::string what = difference(believed, listed == listing.end() ? nothing : listed->second);
    if (!what.empty()) findings.stale.emplace(uid, std::move(what));
  }
  for (const auto& [uid, listed] : listing)
    if (!before.contains(uid) && !now.contains(uid)) findings.unknown.push_back(uid);
  return findings;
}

PodPtr pod_from_listing(const std::string& uid, const ListedPod& listed) {
  auto pod = std::make_shared<api::Pod>();
  pod->kind = "Pod";
  pod->apiVersion = "v1";
  pod->metadata.uid = uid;
  pod->spec.restartPolicy = "Never";
  const cri::StringMap* labels = nullptr;
  if (!listed.sandboxes.empty())
    labels = &listed.sandboxes.front().labels;
  else if (!listed.containers.empty())
    labels = &listed.containers.front().labels;
  if (labels != nullptr) {
    pod->metadata.name = label(*labels, cri::kLabelPodName);
    pod->metadata.namespace_ = label(*labels, cri::kLabelPodNamespace);
  }
  // Its successor's number follows from it.
  for (const auto& sandbox : listed.sandboxes) {
    const auto number = sandbox.annotations.find(node::kAnnotationIncarnation);
    if (number != sandbox.annotations.end()) pod->metadata.annotations.insert(*number);
  }
  std::set<std::string> names;
  for (const auto& container : listed.containers) names.insert(container.metadata.name);
  for (const auto& name : names) {
    api::Container container;
    container.name = name;
    pod->spec.containers.push_back(std::move(container));
  }
  return pod;
}

}  // namespace berth::lifecycle
