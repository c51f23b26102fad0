// A folder of manifests: which files are read, and that no two hold the same object.
#include <algorithm>

#include "api/manifest.hpp"

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

// What the file holds that an earlier one holds already.
std::vector<ManifestProblem> repeated(const ManifestFile& file,
                                      const std::map<std::string, std::string>& owners) {
  std::vector<ManifestProblem> problems;
  for (const ManifestDocument& document : file.documents) {
    const std::string identity = identity_of(document.object);
    const auto owner = owners.find(identity);
    if (owner == owners.end()) continue;
    problems.push_back(
        ManifestProblem{.file = file.name,
                        .problem = Problem{.line = document.line,
                                           .message = identity + " is defined by " + owner->second +
                                                      " already; rename one of the two"}});
  }
  return problems;
}

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

ManifestFolder decode_folder(std::vector<ManifestEntry> entries, const ManifestOptions& options) {
  std::sort(entries.begin(), entries.end(),
            [](const ManifestEntry& a, const ManifestEntry& b) { return a.name < b.name; });
  ManifestFolder folder;
  std::map<std::string, std::string> owners;
  for (const ManifestEntry& entry : entries) {
    if (entry.is_directory || !is_manifest_name(entry.name, options.rules)) {
      folder.passed_over.push_back(entry.name);
      continue;
    }
    auto file = decode_manifest(entry.name, entry.content, options);
    std::vector<ManifestProblem> problems;
    if (!file) {
      problems = std::move(file.error());
    } else if (options.rules == ManifestRules::kBerth) {
      problems = repeated(*file, owners);
    }
    if (!problems.empty()) {
      folder.problems.insert(folder.problems.end(), problems.begin(), problems.end());
      continue;
    }
    for (const ManifestDocument& document : file->documents) {
      owners.emplace(identity_of(document.object), entry.name);
    }
    folder.files.push_back(std::move(*file));
  }
  return folder;
}

}  // namespace berth::api
