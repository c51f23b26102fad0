// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/classes_in_force.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduling/priority_class_admission.hpp"

namespace berth::agent {
namespace {

using api::PriorityClass;
using scheduling::AdmissionRefusal;

// One problem per field; a refusal without a field is about the default.
void add_problems(const StatedClass& one, const AdmissionRefusal& refusal, bool stays,
                  std::vector<ManifestProblem>& problems) {
  const auto add = [&](const std::string& path, const std::string& message) {
    problems.push_back({.file = one.file,
                        .line = one.line,
                        .path = path,
                        .message = message + (stays ? " (the class stays as it was)" : "")});
  };
  if (refusal.causes.empty()) add("globalDefault", refusal.message);
  for (const auto& cause : refusal.causes) add(cause.field, cause.message);
}

// A class that gives up being the default comes before one that claims it; else by file and place.
std::vector<const StatedClass*> in_order(const std::vector<StatedClass>& stated) {
  std::vector<const StatedClass*> order;
  for (const StatedClass& one : stated) order.push_back(&one);
  std::ranges::stable_partition(order,
                                [](const StatedClass* one) { return !one->object.globalDefault; });
  return order;
}

}  // namespace

std::vector<ManifestProblem> ClassesInForce::update(const std::vector<StatedClass>& stated) {
  std::erase_if(classes_, [&](const auto& entry) {
    return std::ranges::none_of(
        stated, [&](const StatedClass& one) { return one.object.metadata.name == entry.first; });
  });
  std::vector<ManifestProblem> refused;
  for (const StatedClass* one : in_order(stated)) {
    const PriorityClass& now = one->object;
    const auto before = classes_.find(now.metadata.name);
    const bool there = before != classes_.end();
    const std::optional<AdmissionRefusal> refusal =
        there ? scheduling::refuse_priority_class_update(now, before->second, classes())
              : scheduling::refuse_priority_class(now, classes());
    if (refusal) {
      add_problems(*one, *refusal, there, refused);
    } else {
      classes_.insert_or_assign(now.metadata.name, now);
    }
  }
  return refused;
}

std::vector<PriorityClass> ClassesInForce::classes() const {
  std::vector<PriorityClass> all;
  all.reserve(classes_.size());
  for (const auto& [name, one] : classes_) all.push_back(one);
  return all;
}

}  // namespace berth::agent
