// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/runtime_listing.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
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
bool is_marked(const cri::PodSandbox& sandbox) {
  return sandbox.annotations.contains(node::kAnnotationIncarnation) ||
         sandbox.annotations.contains(std::string(api::kConfigSource));
}

void set_unmarked_apart(ListedPod& pod) {
  std::set<std::string> unmarked;
  for (const auto& sandbox : pod.sandboxes)
    if (!is_marked(sandbox)) unmarked.insert(sandbox.id.str());
  set_apart(pod, unmarked);
}

bool runs(cri::SandboxState state) {
  return state == cri::SandboxState::kReady;
}

bool runs(cri::ContainerState state) {
  return state == cri::ContainerState::kRunning;
}

bool has_stopped(cri::SandboxState state) {
  return state == cri::SandboxState::kNotReady;
}

bool has_stopped(cri::ContainerState state) {
  return state == cri::ContainerState::kExited;
}

// What differs, the first of each kind: a missed event, and anything else.
class Differences {
 public:
  template <class State>
  void compare(std::string_view type, const std::map<std::string, State>& believed,
               const std::map<std::string, State>& listed) {
    for (const auto& [id, state] : listed) {
      const auto known = believed.find(id);
      if (known == believed.end())
        note(type, id, "is new", false);
      else if (known->second != state)
        note(type, id, "changed its state", has_stopped(state));
    }
    for (const auto& [id, state] : believed)
      if (!listed.contains(id)) note(type, id, "is gone", runs(state));
  }

  [[nodiscard]] std::optional<Difference> first() const { return missed_ ? missed_ : other_; }

 private:
  void note(std::string_view type, const std::string& id, std::string_view what, bool missed) {
    auto& found = missed ? missed_ : other_;
    if (!found)
      found = Difference{.what = fmt::format("{} {} {}", type, id, what), .missed_event = missed};
  }

  std::optional<Difference> missed_{};
  std::optional<Difference> other_{};
};

std::optional<Difference> difference(const BelievedPod& believed, const ListedPod& listed) {
  std::map<std::string, cri::SandboxState> sandboxes;
  for (const auto& sandbox : listed.sandboxes)
    if (!believed.foreign.contains(sandbox.id.str()))
      sandboxes.emplace(sandbox.id.str(), sandbox.state);
  std::map<std::string, cri::ContainerState> containers;
  for (const auto& container : listed.containers)
    if (!believed.foreign.contains(container.pod_sandbox_id.str()))
      containers.emplace(container.id.str(), container.state);
  Differences found;
  found.compare("sandbox", believed.sandboxes, sandboxes);
  found.compare("container", believed.containers, containers);
  return found.first();
}

}  // namespace

std::string pod_uid_of(const cri::StringMap& labels) {
  return label(labels, cri::kLabelPodUid);
}

RuntimeListing group_by_pod(std::vector<cri::PodSandbox> sandboxes,
                            std::vector<cri::Container> containers) {
  RuntimeListing listing;
  std::map<std::string, std::string> uid_of;  // by the sandbox's id
  for (auto& sandbox : sandboxes) {
    std::string uid = pod_uid_of(sandbox.labels);
    uid_of[sandbox.id.str()] = uid;
    if (api::is_pod_uid(uid)) listing[std::move(uid)].sandboxes.push_back(std::move(sandbox));
  }
  for (auto& container : containers) {
    std::string uid = pod_uid_of(container.labels);
    const auto around = uid_of.find(container.pod_sandbox_id.str());
    if (around != uid_of.end() && around->second != uid) continue;
    if (api::is_pod_uid(uid)) listing[std::move(uid)].containers.push_back(std::move(container));
  }
  for (auto& [uid, pod] : listing) set_unmarked_apart(pod);
  std::erase_if(listing, [](const auto& entry) {
    return entry.second.sandboxes.empty() && entry.second.containers.empty();
  });
  return listing;
}

ListedPod listed_pod(std::vector<cri::PodSandbox> sandboxes,
                     std::vector<cri::Container> containers) {
  ListedPod listed{.sandboxes = std::move(sandboxes), .containers = std::move(containers)};
  set_unmarked_apart(listed);
  return listed;
}

void set_apart(ListedPod& pod, const std::set<std::string>& foreign) {
  if (foreign.empty()) return;
  const auto kept = std::ranges::stable_partition(
      pod.sandboxes, [&](const auto& sandbox) { return !foreign.contains(sandbox.id.str()); });
  std::ranges::move(kept, std::back_inserter(pod.foreign));
  pod.sandboxes.erase(kept.begin(), kept.end());
  std::erase_if(pod.containers, [&](const auto& container) {
    return foreign.contains(container.pod_sandbox_id.str());
  });
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
    auto found = difference(believed, listed == listing.end() ? nothing : listed->second);
    if (found) findings.stale.emplace(uid, std::move(*found));
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
