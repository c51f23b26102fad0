// SPDX-License-Identifier: Apache-2.0

#include "node/objects.hpp"

#include <algorithm>
#include <utility>

namespace berth::node {
namespace {

template <class Object>
const Object* find(const std::map<ObjectName, Object>& objects, const std::string& namespace_,
                   const std::string& name) {
  const auto found = objects.find({.namespace_ = namespace_, .name = name});
  return found == objects.end() ? nullptr : &found->second;
}

template <class Object>
void collect_changes(ObjectKind kind, const std::map<ObjectName, Object>& before,
                     const std::map<ObjectName, Object>& after, std::set<ReferencedObject>& out) {
  for (const auto& [name, object] : before) {
    const auto still = after.find(name);
    if (still == after.end() || still->second != object) out.insert({.kind = kind, .object = name});
  }
  for (const auto& [name, object] : after) {
    if (!before.contains(name)) out.insert({.kind = kind, .object = name});
  }
}

class References {
 public:
  explicit References(const api::Pod& pod) : namespace_(pod.metadata.namespace_) {}

  void map(const std::string& name) { add(ObjectKind::kConfigMap, name); }
  void secret(const std::string& name) { add(ObjectKind::kSecret, name); }

  void volume(const api::Volume& volume) {
    if (volume.configMap) map(volume.configMap->name);
    if (volume.secret) secret(volume.secret->secretName);
    if (!volume.projected) return;
    for (const auto& source : volume.projected->sources) {
      if (source.configMap) map(source.configMap->name);
      if (source.secret) secret(source.secret->name);
    }
  }

  void environment(const api::Container& container) {
    for (const auto& source : container.envFrom) {
      if (source.configMapRef) map(source.configMapRef->name);
      if (source.secretRef) secret(source.secretRef->name);
    }
    for (const auto& variable : container.env) {
      if (!variable.valueFrom) continue;
      const auto& from = *variable.valueFrom;
      if (from.configMapKeyRef) map(from.configMapKeyRef->name);
      if (from.secretKeyRef) secret(from.secretKeyRef->name);
    }
  }

  std::set<ReferencedObject> take() { return std::move(found_); }

 private:
  void add(ObjectKind kind, const std::string& name) {
    if (name.empty()) return;
    found_.insert({.kind = kind, .object = {.namespace_ = namespace_, .name = name}});
  }

  const std::string& namespace_;
  std::set<ReferencedObject> found_{};
};

}  // namespace

const api::ConfigMap* Objects::config_map(const std::string& namespace_,
                                          const std::string& name) const {
  return find(config_maps_, namespace_, name);
}

const api::Secret* Objects::secret(const std::string& namespace_, const std::string& name) const {
  return find(secrets_, namespace_, name);
}

void Objects::add(api::ConfigMap map) {
  ObjectName name{.namespace_ = map.metadata.namespace_, .name = map.metadata.name};
  config_maps_.insert_or_assign(std::move(name), std::move(map));
}

void Objects::add(api::Secret secret) {
  ObjectName name{.namespace_ = secret.metadata.namespace_, .name = secret.metadata.name};
  secrets_.insert_or_assign(std::move(name), std::move(secret));
}

ObjectsPtr make_objects(std::vector<api::ConfigMap> config_maps, std::vector<api::Secret> secrets) {
  auto objects = std::make_shared<Objects>();
  for (auto& map : config_maps) objects->add(std::move(map));
  for (auto& secret : secrets) objects->add(std::move(secret));
  return objects;
}

std::set<ReferencedObject> changed_objects(const Objects& before, const Objects& after) {
  std::set<ReferencedObject> changed;
  collect_changes(ObjectKind::kConfigMap, before.config_maps_, after.config_maps_, changed);
  collect_changes(ObjectKind::kSecret, before.secrets_, after.secrets_, changed);
  return changed;
}

std::set<ReferencedObject> object_references(const api::Pod& pod) {
  References references(pod);
  for (const auto& volume : pod.spec.volumes) references.volume(volume);
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (const auto& container : *list) references.environment(container);
  }
  for (const auto& secret : pod.spec.imagePullSecrets) references.secret(secret.name);
  return references.take();
}

bool refers_to_any(const api::Pod& pod, const std::set<ReferencedObject>& objects) {
  if (objects.empty()) return false;
  const auto references = object_references(pod);
  return std::ranges::any_of(
      references, [&objects](const auto& reference) { return objects.contains(reference); });
}

}  // namespace berth::node
