// SPDX-License-Identifier: Apache-2.0

// Names of manifests: which files are read, and what identifies an object in their folder.
#include "api/manifest/manifest.hpp"

namespace berth::api {

namespace {

struct IdentityOf {
  std::string operator()(const ManifestPod& pod) const {
    return named("Pod", pod.pod.metadata, true);
  }
  std::string operator()(const ConfigMap& object) const {
    return named("ConfigMap", object.metadata, true);
  }
  std::string operator()(const Secret& object) const {
    return named("Secret", object.metadata, true);
  }
  std::string operator()(const PriorityClass& object) const {
    return named("PriorityClass", object.metadata, false);
  }
  std::string operator()(const PodDisruptionBudget& object) const {
    return named("PodDisruptionBudget", object.metadata, true);
  }
  std::string operator()(const Namespace& object) const {
    return named("Namespace", object.metadata, false);
  }

  static std::string named(std::string_view kind, const ObjectMeta& meta, bool namespaced) {
    const std::string place = namespaced ? meta.namespace_ + "/" : "";
    return std::string(kind) + " " + place + meta.name;
  }
};

}  // namespace

std::string identity_of(const ManifestObject& object) {
  return std::visit(IdentityOf{}, object);
}

bool is_manifest_name(std::string_view file_name, ManifestRules rules) {
  if (file_name.empty() || file_name.starts_with('.')) return false;
  if (rules == ManifestRules::kKubelet) return true;
  return file_name.ends_with(".yaml") || file_name.ends_with(".yml") ||
         file_name.ends_with(".json");
}

}  // namespace berth::api
