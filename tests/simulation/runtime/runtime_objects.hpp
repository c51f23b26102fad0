// SPDX-License-Identifier: Apache-2.0

// What the simulated runtime has on record: sandboxes and containers, their ids and names.
//
// A name is reserved from the moment a call begins until it fails, or until removal. Records are
// never deleted; what the runtime has removed is no longer found by its id. Loop thread only;
// references stay valid.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/result.hpp"
#include "tests/simulation/runtime/runtime_world.hpp"

namespace berth::simulation {

class RuntimeObjects {
 public:
  explicit RuntimeObjects(RuntimeWorld& world) : world_(world) {}

  std::string new_id();
  std::optional<Error> reserve(const std::string& name);
  void release(const std::string& name) { names_.erase(name); }

  // Null if the runtime has none of that id, or no longer has it.
  SandboxRecord* find_sandbox(const std::string& id);
  Instance* find_instance(const std::string& id);
  SandboxRecord& add(SandboxRecord sandbox);  // among the copies if it is one
  Instance& add(Instance instance);
  void forget_sandbox(const cri::SandboxId& id) { known_sandboxes_.erase(id.str()); }
  void forget_instance(const cri::ContainerId& id) { known_instances_.erase(id.str()); }

  // The truth, oldest first.
  [[nodiscard]] std::deque<Instance>& instances() { return instances_; }
  [[nodiscard]] const std::deque<Instance>& instances() const { return instances_; }
  [[nodiscard]] std::deque<SandboxRecord>& sandboxes() { return sandboxes_; }
  [[nodiscard]] const std::deque<SandboxRecord>& sandboxes() const { return sandboxes_; }
  [[nodiscard]] std::deque<SandboxRecord>& copies() { return copies_; }
  [[nodiscard]] const std::deque<SandboxRecord>& copies() const { return copies_; }
  // What the runtime lists, by id.
  [[nodiscard]] const std::map<std::string, SandboxRecord*>& known_sandboxes() const {
    return known_sandboxes_;
  }
  [[nodiscard]] const std::map<std::string, Instance*>& known_instances() const {
    return known_instances_;
  }

 private:
  RuntimeWorld& world_;
  std::uint64_t ids_ = 0;
  std::set<std::string> names_{};
  std::deque<SandboxRecord> sandboxes_{};
  std::deque<SandboxRecord> copies_{};  // of sandboxes
  std::deque<Instance> instances_{};
  std::map<std::string, SandboxRecord*> known_sandboxes_{};
  std::map<std::string, Instance*> known_instances_{};
};

// The error of a call about what the runtime does not have.
[[nodiscard]] Error missing(const std::string& what);

}  // namespace berth::simulation
