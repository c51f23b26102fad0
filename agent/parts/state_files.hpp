// SPDX-License-Identifier: Apache-2.0

// What berthd holds open in its root directory: the lock, what it is working on, and the store.
#pragma once

#include <memory>

#include "agent/parts/process.hpp"
#include "agent/root_lock.hpp"
#include "agent/store/sqlite_store.hpp"
#include "agent/upkeep/in_hand_file.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct StateFiles {
  std::unique_ptr<RootLock> lock{};
  std::unique_ptr<InHandFile> in_hand{};
  std::unique_ptr<SqliteStore> store{};
};

// kAlreadyExists if another berthd uses the directory; kUnimplemented if the state is a newer
// berthd's. `process` outlives the files.
[[nodiscard]] Result<StateFiles> open_state_files(Process& process);

}  // namespace berth::agent
