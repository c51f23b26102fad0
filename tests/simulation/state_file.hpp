// SPDX-License-Identifier: Apache-2.0

// The state file as berthd has it, in some runs: what the fake disk takes is written by berthd's
// own tables, and what a berthd knows when it begins is what they read back.
//
// Without the writer's thread, which has a time of its own. It throws what SQLite says.
#pragma once

#include <map>
#include <string>

#include "agent/store_file.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/pod_store.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::simulation {

class StateFile {
 public:
  explicit StateFile(WallTime now);

  // In a transaction.
  void put(const lifecycle::StoreBatch& batch, WallTime now);
  // As the next berthd does; by uid.
  [[nodiscard]] std::map<std::string, lifecycle::PodMemoryPtr> read_again(WallTime now);

  void lose();
  // Its beginning is overwritten, so that SQLite does not know it.
  void damage();

 private:
  [[nodiscard]] std::string path() const { return folder_.path("state.db"); }

  agent::TemporaryFolder folder_{};
  agent::StoreFile file_{};
};

}  // namespace berth::simulation
