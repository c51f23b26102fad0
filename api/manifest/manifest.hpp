// SPDX-License-Identifier: Apache-2.0

// Manifest files: the content of one file of the folder, decoded, defaulted and validated.
//
// There are two sets of rules. berth's own: files named *.yaml, *.yml or *.json, any number of
// documents of the kinds below (and v1 List), fields checked as FieldValidation defines. The
// kubelet's: any file name without a leading dot, only the first document, a Pod, unknown fields
// ignored.
//
// A file is accepted as a whole or not at all: if it has any problem, none of its documents counts,
// and all its problems are reported at once, each with its position. Pure: the caller reads the
// file and passes its text.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/codec.hpp"
#include "api/config_map.hpp"
#include "api/manifest/manifest_limits.hpp"
#include "api/manifest/static_pod.hpp"
#include "api/namespace.hpp"
#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/priority_class.hpp"
#include "api/secret.hpp"

namespace berth::api {

struct ManifestOptions {
  std::string node_name{};
  ManifestRules rules = ManifestRules::kBerth;
  FieldValidation validation = FieldValidation::kStrict;  // the kubelet's rules always ignore
  bool allow_privileged = true;
  std::size_t max_bytes = kManifestBytesLimit;
  std::size_t max_documents = kManifestDocumentsLimit;
  std::size_t max_values = kManifestValuesLimit;  // per object
};

// A pod as stated in the manifest, and as it runs here in its first incarnation.
struct ManifestPod {
  Pod stated{};
  Pod pod{};
  StatedDigest digest{stated};

  bool operator==(const ManifestPod&) const = default;
};

using ManifestObject =
    std::variant<ManifestPod, ConfigMap, Secret, PriorityClass, PodDisruptionBudget, Namespace>;

struct ManifestDocument {
  ManifestObject object{};
  int line = 0;  // first line of the document
};

struct ManifestProblem {
  std::string file{};
  Problem problem{};

  bool operator==(const ManifestProblem&) const = default;
};

// "web.yaml:3:7: spec.containers[0].image: Required value".
[[nodiscard]] std::string to_string(const ManifestProblem& problem);

struct ManifestFile {
  std::string name{};
  std::vector<ManifestDocument> documents{};
  std::vector<ManifestProblem> warnings{};  // ignored fields
};

[[nodiscard]] std::expected<ManifestFile, std::vector<ManifestProblem>> decode_manifest(
    const std::string& file_name, std::string_view content, const ManifestOptions& options);

// Whether files of this name are read at all.
[[nodiscard]] bool is_manifest_name(std::string_view file_name, ManifestRules rules);

// The identity in the folder of a document's object: "Pod default/web-node-1".
[[nodiscard]] std::string identity_of(const ManifestObject& object);

}  // namespace berth::api
