// SPDX-License-Identifier: Apache-2.0

// Common to every Kubernetes object: object metadata, owner references, label selectors, conditions
// (meta/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/scalars.hpp"
#include "api/time.hpp"

namespace berth::api {

struct OwnerReference {
  std::string apiVersion{};
  std::string kind{};
  std::string name{};
  std::string uid{};
  std::optional<bool> controller{};
  std::optional<bool> blockOwnerDeletion{};

  bool operator==(const OwnerReference&) const = default;
};

struct ManagedFieldsEntry {
  std::string manager{};
  std::string operation{};
  std::string apiVersion{};
  std::optional<Time> time{};
  std::string fieldsType{};
  std::optional<RawJson> fieldsV1{};
  std::string subresource{};

  bool operator==(const ManagedFieldsEntry&) const = default;
};

struct ObjectMeta {
  std::string name{};
  std::string generateName{};
  std::string namespace_{};
  std::string selfLink{};
  std::string uid{};
  std::string resourceVersion{};
  std::int64_t generation = 0;
  std::optional<Time> creationTimestamp{};
  std::optional<Time> deletionTimestamp{};
  std::optional<std::int64_t> deletionGracePeriodSeconds{};
  std::map<std::string, std::string> labels{};
  std::map<std::string, std::string> annotations{};
  std::vector<OwnerReference> ownerReferences{};
  std::vector<std::string> finalizers{};
  std::vector<ManagedFieldsEntry> managedFields{};

  bool operator==(const ObjectMeta&) const = default;
};

struct LabelSelectorRequirement {
  std::string key{};
  std::string operator_{};
  std::vector<std::string> values{};

  bool operator==(const LabelSelectorRequirement&) const = default;
};

struct LabelSelector {
  std::map<std::string, std::string> matchLabels{};
  std::vector<LabelSelectorRequirement> matchExpressions{};

  bool operator==(const LabelSelector&) const = default;
};

struct Condition {
  std::string type{};
  std::string status{};
  std::int64_t observedGeneration = 0;
  std::optional<Time> lastTransitionTime{};
  std::string reason{};
  std::string message{};

  bool operator==(const Condition&) const = default;
};

}  // namespace berth::api
