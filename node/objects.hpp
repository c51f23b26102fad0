// The ConfigMaps and Secrets that pods may refer to, as they stand at one moment.
//
// A snapshot is made when they change, shared, and never changed: whoever works on a pod goes on
// with what it began with. Secrets' `stringData` is in their `data` (the manifests' defaults saw
// to it). Pure. Values of Secrets go nowhere but into a pod's files, environment and pull
// requests: never into a log, a record or an error.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/config_map.hpp"
#include "api/pod.hpp"
#include "api/secret.hpp"

namespace berth::node {

struct ObjectName {
  std::string namespace_{};
  std::string name{};

  auto operator<=>(const ObjectName&) const = default;
};

class Objects {
 public:
  // Null: there is none.
  [[nodiscard]] const api::ConfigMap* config_map(const std::string& namespace_,
                                                 const std::string& name) const;
  [[nodiscard]] const api::Secret* secret(const std::string& namespace_,
                                          const std::string& name) const;

  // One that is there already under that name is replaced.
  void add(api::ConfigMap map);
  void add(api::Secret secret);

  bool operator==(const Objects&) const = default;

 private:
  friend std::set<struct ReferencedObject> changed_objects(const Objects& before,
                                                           const Objects& after);

  std::map<ObjectName, api::ConfigMap> config_maps_{};
  std::map<ObjectName, api::Secret> secrets_{};
};

using ObjectsPtr = std::shared_ptr<const Objects>;

[[nodiscard]] ObjectsPtr make_objects(std::vector<api::ConfigMap> config_maps,
                                      std::vector<api::Secret> secrets);

enum class ObjectKind : std::uint8_t { kConfigMap, kSecret };

struct ReferencedObject {
  ObjectKind kind = ObjectKind::kConfigMap;
  ObjectName object{};

  auto operator<=>(const ReferencedObject&) const = default;
};

// What is added, gone or different.
[[nodiscard]] std::set<ReferencedObject> changed_objects(const Objects& before,
                                                         const Objects& after);

// Everything that the pod takes something from: volumes, environment, credentials for its images.
[[nodiscard]] std::set<ReferencedObject> object_references(const api::Pod& pod);

[[nodiscard]] bool refers_to_any(const api::Pod& pod, const std::set<ReferencedObject>& objects);

}  // namespace berth::node
