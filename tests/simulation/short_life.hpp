// SPDX-License-Identifier: Apache-2.0

// A short life of a pod or two, written down: what is done to the node, and when.
//
// Nothing in it is left to chance and nothing fails unless a step makes it fail, so that every run
// takes the same course up to the instant at which berthd is killed. There is one life for each
// family of things that berthd may be in the middle of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::simulation {

// What a life can do to its node; actions that need berthd wait until one runs.
class LifeStage {
 public:
  LifeStage() = default;
  LifeStage(const LifeStage&) = delete;
  LifeStage& operator=(const LifeStage&) = delete;
  virtual ~LifeStage() = default;

  // The manifest folder: one pod a file, named after it.
  virtual void write(const api::Pod& pod) = 0;
  virtual void write_as(const std::string& file, const api::Pod& pod) = 0;
  virtual void remove(const std::string& file) = 0;
  virtual void write_settings() = 0;  // the ConfigMap that pods take volumes from
  // The control socket; `name` as in the manifest.
  virtual void delete_pod(const std::string& name, std::optional<std::chrono::seconds> grace) = 0;
  virtual void set_condition(const std::string& name, const std::string& type,
                             const std::string& status) = 0;
  // The world.
  virtual void container_ends(const std::string& container, std::int32_t code) = 0;
  virtual void sandbox_dies() = 0;
  virtual void runtime_is_down(bool down) = 0;
  virtual void disk_is_full(bool full) = 0;
  virtual void machine_reboots() = 0;
  virtual void state_is_lost() = 0;  // with berthd killed
};

struct LifeStep {
  Nanoseconds at{};
  std::function<void(LifeStage&)> act{};
  bool needs_berthd = false;
};

struct ShortLife {
  std::string name{};
  std::vector<LifeStep> steps{};
  Nanoseconds lasts{};    // berthd is killed at every instant before that
  std::int64_t kept = 0;  // finished pods; 0: all of them
  // A manifest whose pod a kubelet had started.
  std::optional<api::Pod> taken_over{};
};

[[nodiscard]] std::vector<ShortLife> short_lives();

}  // namespace berth::simulation
