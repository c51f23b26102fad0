// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/meta.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/meta.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(OwnerReference, (),
                      (apiVersion, kind, name, uid, controller, blockOwnerDeletion))
constexpr auto printed_when_empty(const OwnerReference*) {
  return std::to_array<std::string_view>({"apiVersion", "kind", "name", "uid"});
}
BOOST_DESCRIBE_STRUCT(ManagedFieldsEntry, (),
                      (manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource))
BOOST_DESCRIBE_STRUCT(ObjectMeta, (),
                      (name, generateName, namespace_, selfLink, uid, resourceVersion, generation,
                       creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, labels,
                       annotations, ownerReferences, finalizers, managedFields))
BOOST_DESCRIBE_STRUCT(LabelSelectorRequirement, (), (key, operator_, values))
constexpr auto printed_when_empty(const LabelSelectorRequirement*) {
  return std::to_array<std::string_view>({"key", "operator"});
}
BOOST_DESCRIBE_STRUCT(LabelSelector, (), (matchLabels, matchExpressions))
BOOST_DESCRIBE_STRUCT(Condition, (),
                      (type, status, observedGeneration, lastTransitionTime, reason, message))
constexpr auto printed_when_empty(const Condition*) {
  return std::to_array<std::string_view>(
      {"type", "status", "lastTransitionTime", "reason", "message"});
}

}  // namespace berth::api
