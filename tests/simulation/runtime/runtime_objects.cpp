// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/runtime_objects.hpp"

#include <utility>

#include <fmt/core.h>

namespace berth::simulation {

std::string RuntimeObjects::new_id() {
  // In a quiet runtime ids sort by age, which makes unit tests easy to read.
  const auto count = fmt::format("{:08x}", ++ids_);
  const std::string random = world_.random().hex(56);
  return world_.faults().shuffled_lists ? random + count : count + random;
}

std::optional<Error> RuntimeObjects::reserve(const std::string& name) {
  if (names_.insert(name).second) return std::nullopt;
  return Error{ErrorCode::kUnknown,
               fmt::format("failed to reserve name \"{}\": it is reserved", name)};
}

SandboxRecord* RuntimeObjects::find_sandbox(const std::string& id) {
  const auto found = known_sandboxes_.find(id);
  return found == known_sandboxes_.end() ? nullptr : found->second;
}

Instance* RuntimeObjects::find_instance(const std::string& id) {
  const auto found = known_instances_.find(id);
  return found == known_instances_.end() ? nullptr : found->second;
}

SandboxRecord& RuntimeObjects::add(SandboxRecord sandbox) {
  auto& records = sandbox.copy_of ? copies_ : sandboxes_;
  SandboxRecord& added = records.emplace_back(std::move(sandbox));
  known_sandboxes_[added.id.str()] = &added;
  return added;
}

Instance& RuntimeObjects::add(Instance instance) {
  Instance& added = instances_.emplace_back(std::move(instance));
  known_instances_[added.id.str()] = &added;
  return added;
}

Error missing(const std::string& what) {
  return Error{ErrorCode::kNotFound, what + ": not found"};
}

}  // namespace berth::simulation
