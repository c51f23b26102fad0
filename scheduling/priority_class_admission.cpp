// SPDX-License-Identifier: Apache-2.0

#include "scheduling/priority_class_admission.hpp"

#include <algorithm>
#include <string>

#include "api/validation/validate.hpp"
#include "scheduling/priority_admission.hpp"

namespace berth::scheduling {

namespace {

using api::PriorityClass;

constexpr const char* kResource = "priorityclasses.scheduling.k8s.io";
constexpr const char* kKind = "PriorityClass.scheduling.k8s.io";

AdmissionRefusal second_default(const PriorityClass& refused, const PriorityClass& first) {
  return forbidden_object(kResource, refused.metadata.name,
                          "PriorityClass " + first.metadata.name +
                              " is already marked as default. Only one default can exist");
}

}  // namespace

std::optional<AdmissionRefusal> refuse_priority_class(const PriorityClass& created,
                                                      const std::vector<PriorityClass>& existing) {
  const std::string& name = created.metadata.name;
  const api::FieldErrors errors = api::validate_priority_class(created);
  if (!errors.empty()) return invalid_object(kKind, name, errors);
  if (created.globalDefault) {
    if (const PriorityClass* first = default_priority_class(existing))
      return second_default(created, *first);
  }
  const bool taken = std::any_of(existing.begin(), existing.end(), [&](const PriorityClass& one) {
    return one.metadata.name == name;
  });
  if (taken) return existing_object(kResource, name);
  return std::nullopt;
}

std::optional<AdmissionRefusal> refuse_priority_class_update(
    const PriorityClass& now, const PriorityClass& before,
    const std::vector<PriorityClass>& existing) {
  const api::FieldErrors errors = api::validate_priority_class_update(now, before);
  if (!errors.empty()) return invalid_object(kKind, now.metadata.name, errors);
  if (now.globalDefault) {
    const PriorityClass* first = default_priority_class(existing);
    if (first != nullptr && first->metadata.name != now.metadata.name) {
      return second_default(now, *first);
    }
  }
  return std::nullopt;
}

}  // namespace berth::scheduling
