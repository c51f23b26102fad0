// SPDX-License-Identifier: Apache-2.0

#include "api/manifest/manifest.hpp"

#include <algorithm>
#include <cctype>
#include <type_traits>

#include <fmt/core.h>

#include "api/brief_text.hpp"
#include "api/defaults.hpp"
#include "api/manifest/manifest_place.hpp"
#include "api/pod_uid.hpp"
#include "api/validation/validate.hpp"

namespace berth::api {

namespace {

constexpr std::string_view kWhatAUidIs =
    "must consist of at most 128 letters, digits, '-' or '.', and begin with a letter or digit, "
    "because files and control groups are named by it";

constexpr std::string_view kKnownKinds =
    "a manifest may hold Pod, ConfigMap, Secret, Namespace and List (v1), PriorityClass "
    "(scheduling.k8s.io/v1) and PodDisruptionBudget (policy/v1)";

// The number of values of a tree, including itself; stops counting beyond `most`.
std::size_t values_in(const TreeNode& node, std::size_t most) {
  std::size_t count = 1;
  for (auto item = node.items.begin(); item != node.items.end() && count <= most; ++item)
    count += values_in(*item, most - count);
  for (auto entry = node.entries.begin(); entry != node.entries.end() && count <= most; ++entry)
    count += values_in(entry->value, most - count);
  return count;
}

// Number of containers of a pod, as far as the tree looks like one.
std::size_t containers_in(const TreeNode& pod) {
  const TreeNode* spec = pod.find("spec");
  if (spec == nullptr) return 0;
  std::size_t count = 0;
  for (const std::string_view list : {"containers", "initContainers"})
    if (const TreeNode* containers = spec->find(list)) count += containers->items.size();
  return count;
}

bool same_but_for_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(one, other, {}, lower, lower);
}

// The value of `kind` or `apiVersion` by which an object's type is known. A kubelet takes the keys
// in any case there, unlike all others; the last one counts that is not null.
std::string_view type_field(const TreeNode& root, std::string_view field, ManifestRules rules) {
  if (rules != ManifestRules::kKubelet) return root.string_at(field);
  for (auto entry = root.entries.rbegin(); entry != root.entries.rend(); ++entry) {
    const TreeNode& value = entry->value;
    if (value.kind == NodeKind::kNull || !same_but_for_case(entry->key, field)) continue;
    return value.kind == NodeKind::kString ? std::string_view(value.text) : std::string_view{};
  }
  return {};
}

// Decodes one file.
class FileReader {
 public:
  FileReader(const std::string& name, const ManifestOptions& options)
      : name_(name), options_(options) {
    file_.name = name;
  }

  void read(std::string_view content) {
    if (content.size() >= kManifestBytesLimit) {
      fail(Problem{.message = fmt::format(
                       "the read limit is reached: a manifest must be smaller than {} bytes",
                       kManifestBytesLimit)});
    } else if (content.size() > options_.max_bytes) {
      fail(Problem{.message = fmt::format("it has {} bytes, and maxManifestBytes allows {}",
                                          content.size(), options_.max_bytes)});
    } else if (options_.rules == ManifestRules::kKubelet) {
      read_first(content);
    } else {
      read_all(content);
    }
  }

  std::expected<ManifestFile, std::vector<ManifestProblem>> finish() {
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(file_);
  }

 private:
  [[nodiscard]] ManifestProblem in_this_file(Problem problem) const {
    problem.path = brief(problem.path);
    problem.message = brief(problem.message);
    return {.file = name_, .problem = std::move(problem)};
  }

  void fail(Problem problem) { problems_.push_back(in_this_file(std::move(problem))); }

  void fail(std::vector<Problem> problems) {
    for (Problem& problem : problems) fail(std::move(problem));
  }

  void fail_at(const TreeNode& node, std::string path, std::string message) {
    if (path.ends_with('.')) path.pop_back();  // for an object in a List
    fail(Problem{.path = std::move(path),
                 .line = node.line,
                 .column = node.column,
                 .message = std::move(message)});
  }

  // The kubelet's rules: one pod.
  void read_first(std::string_view content) {
    auto tree = parse_first_document(content);
    if (!tree) return fail(std::move(tree.error()));
    const TreeNode& root = tree->root;
    if (!check_type(root, {})) return;
    if (type_field(root, "kind", options_.rules) != "Pod" ||
        type_field(root, "apiVersion", options_.rules) != "v1") {
      return fail_at(root, "kind", "invalid pod: a static pod file holds one Pod of version v1");
    }
    read_pod(root, {});
  }

  void read_all(std::string_view content) {
    auto trees = parse_documents(content, {.documents = options_.max_documents});
    if (!trees) return fail(std::move(trees.error()));
    for (const Tree& tree : *trees) read_document(tree.root, {});
    check_repeated();
  }

  bool check_type(const TreeNode& root, const std::string& path) {
    if (root.kind != NodeKind::kMapping) {
      fail_at(root, path, "expected an object with apiVersion and kind");
      return false;
    }
    for (const std::string_view field : {"kind", "apiVersion"}) {
      if (!type_field(root, field, options_.rules).empty()) continue;
      fail_at(root, path,
              "Object '" + std::string(field == "kind" ? "Kind" : field) +
                  "' is missing: every document names its apiVersion and kind");
      return false;
    }
    return true;
  }

  void read_document(const TreeNode& root, const std::string& path) {
    if (!check_type(root, path)) return;
    const std::string type =
        std::string(root.string_at("apiVersion")) + " " + std::string(root.string_at("kind"));
    if (type == "v1 Pod") return read_pod(root, path);
    if (type == "v1 List") return read_list(root, path);
    if (type == "v1 ConfigMap") return read_namespaced<ConfigMap>(root, path, validate_config_map);
    if (type == "v1 Secret") return read_namespaced<Secret>(root, path, validate_secret);
    if (type == "v1 Namespace") return read_kind<Namespace>(root, path, validate_namespace);
    if (type == "scheduling.k8s.io/v1 PriorityClass") {
      return read_kind<PriorityClass>(root, path, validate_priority_class);
    }
    if (type == "policy/v1 PodDisruptionBudget") {
      return read_namespaced<PodDisruptionBudget>(root, path, validate_pod_disruption_budget);
    }
    fail_at(root, path,
            "kind " + std::string(root.string_at("kind")) + " of " +
                std::string(root.string_at("apiVersion")) +
                " is not known here: " + std::string(kKnownKinds));
  }

  void read_list(const TreeNode& root, const std::string& path) {
    const TreeNode* items = root.find("items");
    if (items == nullptr || items->kind != NodeKind::kSequence) {
      return fail_at(root, path + "items", "expected a list of objects");
    }
    listed_ += items->items.size();
    if (listed_ > options_.max_documents) {
      return fail_at(*items, path + "items",
                     fmt::format("more than {} documents", options_.max_documents));
    }
    for (std::size_t i = 0; i < items->items.size(); ++i) {
      read_document(items->items[i], path + "items[" + std::to_string(i) + "].");
    }
  }

  // Decodes and records ignored fields; unset if the document has problems.
  template <class T>
  std::optional<T> decode_object(const TreeNode& root, const std::string& path) {
    constexpr bool kHasContainers = std::is_same_v<T, Pod>;
    std::size_t values = values_in(root, options_.max_values);
    if constexpr (kHasContainers) values += containers_in(root) * kManifestValuesOfContainer;
    if (values > options_.max_values) {
      fail_at(
          root, path,
          fmt::format("it has more values than maxManifestValues allows, {}{}", options_.max_values,
                      kHasContainers ? fmt::format(" (each container counts as {} more)",
                                                   kManifestValuesOfContainer)
                                     : ""));
      return std::nullopt;
    }
    const bool kubelet = options_.rules == ManifestRules::kKubelet;
    std::string prefix = path;
    if (prefix.ends_with('.')) prefix.pop_back();
    auto decoded =
        decode<T>(root, kubelet ? FieldValidation::kIgnore : options_.validation, prefix);
    if (!decoded) {
      fail(std::move(decoded.error()));
      return std::nullopt;
    }
    for (Problem& warning : decoded->warnings)
      file_.warnings.push_back(in_this_file(std::move(warning)));
    return std::move(decoded->object);
  }

  // Returns false if there are errors.
  bool accept(const TreeNode& root, const std::string& path, const FieldErrors& errors) {
    for (const FieldError& error : errors) {
      const Place place = place_of(root, error.path);
      fail(Problem{.path = path + error.path,
                   .line = place.line,
                   .column = place.column,
                   .message = error.message()});
    }
    return errors.empty();
  }

  void take(ManifestObject object, const TreeNode& root) {
    file_.documents.push_back(ManifestDocument{.object = std::move(object), .line = root.line});
  }

  template <class T>
  void read_kind(const TreeNode& root, const std::string& path, FieldErrors (*validate)(const T&)) {
    std::optional<T> object = decode_object<T>(root, path);
    if (!object) return;
    finish_kind(std::move(*object), root, path, validate);
  }

  template <class T>
  void read_namespaced(const TreeNode& root, const std::string& path,
                       FieldErrors (*validate)(const T&)) {
    std::optional<T> object = decode_object<T>(root, path);
    if (!object) return;
    if (object->metadata.namespace_.empty()) object->metadata.namespace_ = "default";
    finish_kind(std::move(*object), root, path, validate);
  }

  template <class T>
  void finish_kind(T object, const TreeNode& root, const std::string& path,
                   FieldErrors (*validate)(const T&)) {
    if constexpr (requires(T & some) { apply_defaults(some); }) apply_defaults(object);
    if (accept(root, path, validate(object))) take(std::move(object), root);
  }

  void read_pod(const TreeNode& root, const std::string& path) {
    std::optional<Pod> stated = decode_object<Pod>(root, path);
    if (!stated) return;
    if (stated->metadata.name.empty()) {
      const Place place = place_of(root, "metadata.name");
      return fail(Problem{.path = path + "metadata.name",
                          .line = place.line,
                          .column = place.column,
                          .message = "invalid pod: name is needed for the pod"});
    }
    const StaticPodIdentity identity{.node_name = options_.node_name, .file_name = name_};
    Pod pod = make_static_pod(*stated, identity, options_.rules);
    const bool kubelet = options_.rules == ManifestRules::kKubelet;
    FieldErrors errors = validate_pod(pod, PodRules{.allow_privileged = options_.allow_privileged,
                                                    .check_pod_resources = !kubelet,
                                                    .container_restart_rules = !kubelet});
    if (const auto& uid = stated->metadata.uid; !uid.empty() && !is_pod_uid(uid))
      errors.push_back(invalid(FieldPath("metadata") / "uid", quoted(uid), kWhatAUidIs));
    if (!kubelet) {
      const FieldErrors more = cluster_only_fields(stated->spec);
      errors.insert(errors.end(), more.begin(), more.end());
    }
    if (!accept(root, path, errors)) return;
    if (kubelet) {
      if (const auto refusal = static_pod_refusal(pod)) return fail_at(root, {}, *refusal);
    }
    const StatedDigest digest(*stated);
    take(ManifestPod{.stated = std::move(*stated), .pod = std::move(pod), .digest = digest}, root);
  }

  // No two documents of one file may be the same object.
  void check_repeated() {
    std::map<std::string, int> lines;
    for (const ManifestDocument& document : file_.documents) {
      const std::string identity = identity_of(document.object);
      const auto [first, fresh] = lines.emplace(identity, document.line);
      if (fresh) continue;
      fail(Problem{.line = document.line,
                   .message = identity + " stands in this file twice, first at line " +
                              std::to_string(first->second)});
    }
  }

  const std::string& name_;
  const ManifestOptions& options_;
  ManifestFile file_{};
  std::vector<ManifestProblem> problems_{};
  std::size_t listed_ = 0;  // objects in all Lists
};

}  // namespace

std::string to_string(const ManifestProblem& problem) {
  std::string text = problem.file;
  if (problem.problem.line > 0) text += ":" + std::to_string(problem.problem.line);
  if (problem.problem.column > 0) text += ":" + std::to_string(problem.problem.column);
  if (!problem.problem.path.empty()) text += ": " + problem.problem.path;
  return text + ": " + problem.problem.message;
}

std::expected<ManifestFile, std::vector<ManifestProblem>> decode_manifest(
    const std::string& file_name, std::string_view content, const ManifestOptions& options) {
  FileReader reader(file_name, options);
  reader.read(content);
  return reader.finish();
}

}  // namespace berth::api
