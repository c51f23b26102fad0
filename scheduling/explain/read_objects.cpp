// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/read_objects.hpp"

#include <optional>
#include <utility>

#include "api/codec.hpp"
#include "api/defaults.hpp"

namespace berth::scheduling {
namespace {

using api::FieldValidation;
using api::NodeKind;
using api::TreeNode;

// Drops, from a pod on its node, the fields that use most memory but affect no scheduling decision.
void slim(api::Pod& pod) {
  pod.metadata.managedFields = {};
  pod.metadata.annotations.clear();
  auto& volumes = pod.spec.volumes;
  std::erase_if(volumes, [](const api::Volume& volume) {
    return !volume.persistentVolumeClaim && !volume.ephemeral;
  });
  volumes.shrink_to_fit();
  for (auto* containers : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (api::Container& container : *containers) {
      container.env = {};
      container.volumeMounts = {};
    }
  }
}

// Reads one file.
class ObjectReader {
 public:
  ObjectReader(const std::string& file, PodsAre pods, ReadObjects& into)
      : file_(file), pods_(pods), into_(into) {}

  void read(std::string_view text) {
    if (text.size() > kMostBytes) {
      into_.problems.push_back(
          {.file = file_,
           .problem = {.message = "it has " + std::to_string(text.size()) +
                                  " bytes, more than the " + std::to_string(kMostBytes) +
                                  " that are read of a file"}});
      return;
    }
    for (const TextPiece& piece : cut(text)) {
      place_ = piece.place;
      auto root = parse(piece);
      if (!root) {
        into_.problems.push_back(
            {.file = file_, .document = place_.document, .problem = std::move(root.error())});
        // The rest of this document cannot be trusted; other documents can.
        continue;
      }
      const std::string path =
          place_.item ? "items[" + std::to_string(*place_.item) + "]" : std::string();
      if (root->kind == NodeKind::kNull && !place_.item) continue;
      read_object(*root, path, type_of_item(piece.list_kind, piece.list_version));
    }
  }

 private:
  struct Type {
    std::string version{};
    std::string kind{};
  };

  // The type of a NodeList's items, which do not state it themselves.
  static Type type_of_item(std::string_view list_kind, const std::string& version) {
    if (list_kind.empty() || list_kind == "List") return {};
    list_kind.remove_suffix(std::string_view("List").size());
    return {.version = version, .kind = std::string(list_kind)};
  }

  void refuse(const TreeNode& at, std::string path, std::string message) {
    refuse({.path = std::move(path), .line = at.line, .column = at.column, .message = message});
  }
  void refuse(api::Problem problem) {
    place_.to_file(problem);
    into_.problems.push_back(
        {.file = file_, .document = place_.document, .problem = std::move(problem)});
  }

  void read_object(const TreeNode& root, const std::string& path, const Type& otherwise) {
    if (root.kind != NodeKind::kMapping) {
      return refuse(root, path, "expected an object with apiVersion and kind");
    }
    Type type{.version = std::string(root.string_at("apiVersion")),
              .kind = std::string(root.string_at("kind"))};
    if (type.kind.empty()) type = otherwise;
    if (type.kind.empty()) {
      return refuse(root, path, "Object 'Kind' is missing: every object names its kind");
    }
    if (root.find("items") != nullptr && type.kind.ends_with("List")) {
      return read_list(root, path, type);
    }
    take(root, path, type);
  }

  void read_list(const TreeNode& root, const std::string& path, const Type& type) {
    const TreeNode& items = *root.find("items");
    const std::string at = path.empty() ? "items" : path + ".items";
    if (items.kind != NodeKind::kSequence && items.kind != NodeKind::kNull) {
      return refuse(items, at, "expected a list of objects");
    }
    for (std::size_t i = 0; i < items.items.size(); ++i) {
      read_object(items.items[i], at + "[" + std::to_string(i) + "]",
                  type_of_item(type.kind, type.version));
    }
  }

  void take(const TreeNode& root, const std::string& path, const Type& type) {
    StatedCluster& objects = into_.objects;
    const std::string name = type.version + "/" + type.kind;
    const bool creates_pods = name == "apps/v1/Deployment" || name == "batch/v1/Job" ||
                              name == "v1/ReplicationController" || name == "apps/v1/ReplicaSet" ||
                              name == "apps/v1/StatefulSet";
    if (creates_pods && pods_ == PodsAre::kToBePlaced) read_template(root, path, type);
    if (name == "v1/Pod") return read_pod(root, path);
    if (name == "v1/Node") return add(root, path, objects.nodes);
    if (name == "v1/Namespace") return add(root, path, objects.namespaces);
    if (name == "v1/Service") return add(root, path, objects.services);
    if (name == "scheduling.k8s.io/v1/PriorityClass") {
      return add(root, path, objects.priority_classes);
    }
    if (name == "policy/v1/PodDisruptionBudget") return add(root, path, objects.budgets);
    if (name == "v1/ReplicationController" || name == "apps/v1/ReplicaSet" ||
        name == "apps/v1/StatefulSet") {
      return read_controller(root, path, type);
    }
    if (!creates_pods) ++into_.passed_over[type.kind];
  }

  template <class T>
  std::optional<T> decoded(const TreeNode& root, const std::string& path,
                           FieldValidation validation) {
    auto result = api::decode<T>(root, validation, path);
    if (!result) {
      for (api::Problem& problem : result.error()) refuse(std::move(problem));
      return std::nullopt;
    }
    return std::move(result->object);
  }

  bool is_named(const TreeNode& root, const std::string& path, const api::ObjectMeta& metadata) {
    if (!metadata.name.empty()) return true;
    refuse(root, path.empty() ? "metadata.name" : path + ".metadata.name", "Required value");
    return false;
  }

  template <class T>
  void add(const TreeNode& root, const std::string& path, std::vector<T>& to) {
    std::optional<T> object = decoded<T>(root, path, FieldValidation::kIgnore);
    if (!object || !is_named(root, path, object->metadata)) return;
    if constexpr (requires { api::apply_defaults(*object); }) {
      api::apply_defaults(*object);
    } else if (object->metadata.namespace_.empty()) {
      object->metadata.namespace_ = "default";
    }
    to.push_back(std::move(*object));
  }

  void read_pod(const TreeNode& root, const std::string& path) {
    const bool placed = pods_ == PodsAre::kThere;
    auto pod =
        decoded<api::Pod>(root, path, placed ? FieldValidation::kIgnore : FieldValidation::kStrict);
    if (!pod || (placed && !is_named(root, path, pod->metadata))) return;
    if (pod->metadata.namespace_.empty() && placed) pod->metadata.namespace_ = "default";
    // Set by an API server that has accepted the pod.
    const bool exists = pod->metadata.creationTimestamp.has_value();
    if (!exists) api::apply_defaults(*pod);
    if (placed) {
      slim(*pod);
      into_.objects.pods.push_back(std::move(*pod));
    } else {
      into_.stated.push_back(
          {.pod = std::move(*pod), .tree = root, .place = place_, .file = file_, .exists = exists});
    }
  }

  // Reads the pod that a controller would create.
  void read_template(const TreeNode& root, const std::string& path, const Type& type) {
    static const TreeNode kNothing{};
    const auto part = [](const TreeNode& of, const char* field) -> const TreeNode& {
      const TreeNode* found = of.find(field);
      return found == nullptr ? kNothing : *found;
    };
    const std::string field = path.empty() ? "spec.template" : path + ".spec.template";
    const TreeNode& pod_template = part(part(root, "spec"), "template");
    const auto owner = decoded<api::ObjectMeta>(part(root, "metadata"),
                                                path.empty() ? "metadata" : path + ".metadata",
                                                FieldValidation::kIgnore);
    auto meta = decoded<api::ObjectMeta>(part(pod_template, "metadata"), field + ".metadata",
                                         FieldValidation::kStrict);
    auto spec = decoded<api::PodSpec>(part(pod_template, "spec"), field + ".spec",
                                      FieldValidation::kStrict);
    if (!owner || !meta || !spec) return;
    api::Pod pod{.metadata = std::move(*meta), .spec = std::move(*spec)};
    pod.metadata.name = owner->name;
    pod.metadata.namespace_ = owner->namespace_;
    pod.metadata.ownerReferences = {{.apiVersion = type.version,
                                     .kind = type.kind,
                                     .name = owner->name,
                                     .uid = owner->uid.empty() ? "unknown" : owner->uid,
                                     .controller = true}};
    api::apply_defaults(pod);
    into_.stated.push_back({.pod = std::move(pod),
                            .tree = pod_template,
                            .place = place_,
                            .file = file_,
                            .field = "spec.template"});
  }

  void read_controller(const TreeNode& root, const std::string& path, const Type& type) {
    const auto at = [&](const char* field) { return path.empty() ? field : path + "." + field; };
    static const TreeNode kNothing{};
    const TreeNode* metadata = root.find("metadata");
    const auto meta = decoded<api::ObjectMeta>(metadata == nullptr ? kNothing : *metadata,
                                               at("metadata"), FieldValidation::kIgnore);
    if (!meta || !is_named(root, path, *meta)) return;
    Controller controller{.apiVersion = type.version,
                          .kind = type.kind,
                          .namespace_ = meta->namespace_.empty() ? "default" : meta->namespace_,
                          .name = meta->name};
    const TreeNode* spec = root.find("spec");
    const TreeNode* selector = spec == nullptr ? nullptr : spec->find("selector");
    if (type.kind == "ReplicationController") {
      Labels pairs;
      if (selector != nullptr) {
        for (const api::TreeEntry& entry : selector->entries) pairs[entry.key] = entry.value.text;
      }
      controller.selector = std::move(pairs);
    } else if (selector == nullptr || selector->kind == NodeKind::kNull) {
      controller.selector = std::optional<api::LabelSelector>();
    } else {
      auto stated =
          decoded<api::LabelSelector>(*selector, at("spec.selector"), FieldValidation::kIgnore);
      if (!stated) return;
      controller.selector = std::move(stated);
    }
    into_.objects.controllers.push_back(std::move(controller));
  }

  const std::string& file_;
  PodsAre pods_;
  ReadObjects& into_;
  ObjectPlace place_{};
};

}  // namespace

std::string to_string(const InputProblem& problem) {
  const api::Problem& what = problem.problem;
  std::string text = problem.file;
  if (what.line > 0) text += ":" + std::to_string(what.line);
  if (what.line > 0 && what.column > 0) text += ":" + std::to_string(what.column);
  if (problem.document > 1) text += ": document " + std::to_string(problem.document);
  if (!what.path.empty()) text += ": " + what.path;
  text += ": " + what.message;
  if (!problem.way_out.empty()) text += " (" + problem.way_out + ")";
  return text;
}

void read_objects(const std::string& file, std::string_view text, PodsAre pods, ReadObjects& into) {
  ObjectReader(file, pods, into).read(text);
}

}  // namespace berth::scheduling
