// SPDX-License-Identifier: Apache-2.0

// The state file as berthd has it, in some runs: berthd's own tables write what the fake disk
// accepts, and what a berthd knows when it begins is what they read back.
//
// It has no writer thread, which would run on real time. It throws SQLite's errors.
#pragma once

#include <map>
#include <string>

#include "agent/store/store_file.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/pod_store.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::simulation {

class StateFile {
 public:
  explicit StateFile(WallTime now);

  // In a transaction.
  void put(const lifecycle::StoreBatch& batch, WallTime now);
  // Reads as the next berthd does; by uid.
  [[nodiscard]] std::map<std::string, lifecycle::PodMemoryPtr> read_again(WallTime now);

  void lose();
  // Overwrites its beginning, so that SQLite does not recognize it.
  void damage();

 private:
  [[nodiscard]] std::string path() const { return folder_.path("state.db"); }

  agent::TemporaryFolder folder_{};
  agent::StoreFile file_{};
};

}  // namespace berth::simulation
