// SPDX-License-Identifier: Apache-2.0

// The ConfigMaps and Secrets that pods may refer to, at one moment.
//
// A new snapshot is made when they change; it is shared and immutable, so work on a pod continues
// with the snapshot it started with. `data` already includes Secrets' `stringData` (merged by the
// manifests' defaults). Pure. Values of Secrets are used only in a pod's files, environment and
// pull requests: never in a log, a record or an error.
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
  // Null if it does not exist.
  [[nodiscard]] const api::ConfigMap* config_map(const std::string& namespace_,
                                                 const std::string& name) const;
  [[nodiscard]] const api::Secret* secret(const std::string& namespace_,
                                          const std::string& name) const;

  // Replaces an object with the same name.
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

// Everything added, removed or changed.
[[nodiscard]] std::set<ReferencedObject> changed_objects(const Objects& before,
                                                         const Objects& after);

// Everything that the pod reads from: volumes, environment, credentials for its images.
[[nodiscard]] std::set<ReferencedObject> object_references(const api::Pod& pod);

[[nodiscard]] bool refers_to_any(const api::Pod& pod, const std::set<ReferencedObject>& objects);

}  // namespace berth::node
