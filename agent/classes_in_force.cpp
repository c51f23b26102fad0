#include "agent/classes_in_force.hpp"

#include <algorithm>
#include <utility>

#include "scheduling/priority_class_admission.hpp"

namespace berth::agent {
namespace {

// Null: nobody says so.
const StatedClass* default_of(const std::vector<StatedClass>& stated, const std::string& before) {
  const StatedClass* first = nullptr;
  for (const StatedClass& one : stated) {
    if (!one.object.globalDefault) continue;
    if (one.object.metadata.name == before) return &one;
    if (first == nullptr) first = &one;
  }
  return first;
}

}  // namespace

std::vector<ManifestProblem> ClassesInForce::update(const std::vector<StatedClass>& stated) {
  const StatedClass* usual = default_of(stated, default_);
  std::vector<ManifestProblem> refused;
  std::map<std::string, api::PriorityClass> now;
  for (const StatedClass& one : stated) {
    const std::string& name = one.object.metadata.name;
    if (!one.object.globalDefault || &one == usual) {
      now.emplace(name, one.object);
      continue;
    }
    const auto refusal = scheduling::refuse_priority_class(one.object, {usual->object});
    const auto before = classes_.find(name);
    const bool stays = before != classes_.end() && name != default_;
    if (stays) now.emplace(name, before->second);
    refused.push_back({.file = one.file,
                       .line = one.line,
                       .path = "globalDefault",
                       .message = (refusal ? refusal->message : std::string()) +
                                  (stays ? "; the class stays as it was" : "")});
  }
  default_ = usual == nullptr ? std::string() : usual->object.metadata.name;
  classes_ = std::move(now);
  return refused;
}

std::vector<api::PriorityClass> ClassesInForce::classes() const {
  std::vector<api::PriorityClass> all;
  all.reserve(classes_.size());
  for (const auto& [name, one] : classes_) all.push_back(one);
  return all;
}

}  // namespace berth::agent
