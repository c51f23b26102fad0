// SPDX-License-Identifier: Apache-2.0

// Manifest folders as texts, and the results of reading them.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "agent/sources/blocking_update.hpp"
#include "agent/sources/found_pods.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "lifecycle/container_identity.hpp"

namespace berth::agent {

using namespace std::chrono_literals;

inline const WallTime kNow{1'700'000'000s};

inline std::string pod_text(const std::string& name, const std::string& more = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\nspec:\n" + more +
         "  containers:\n  - name: app\n    image: busybox:1\n";
}

inline const std::string kBroken = "apiVersion: v1\nkind: Pod\nspec: {containers: 7}\n";

inline FolderContent folder(const std::map<std::string, std::string>& texts) {
  FolderContent content{.path = "/m", .exists = true};
  for (const auto& [name, text] : texts) content.files.push_back({.name = name, .content = text});
  return content;
}

inline api::ManifestOptions options(api::ManifestRules rules = api::ManifestRules::kBerth) {
  return {.node_name = "n1", .rules = rules};
}

inline std::vector<std::string> names(const std::vector<PodPtr>& pods) {
  std::vector<std::string> list;
  for (const auto& pod : pods) list.push_back(pod->metadata.name);
  return list;
}

using Names = std::vector<std::string>;

inline const std::string kKubeletsUid = "0123456789abcdef0123456789abcdef";

// The pod of pod_text("web"), running `image`, as a kubelet left it.
inline FoundPod kubelets_pod(const std::string& image, const std::string& uid = kKubeletsUid) {
  return {.uid = uid,
          .from_kubelet = true,
          .namespace_ = "default",
          .name = "web-n1",
          .containers = {{"app",
                          {{"io.kubernetes.container.hash",
                            lifecycle::kubelet_container_hash_text("app", image)}}}}};
}

}  // namespace berth::agent
