// SPDX-License-Identifier: Apache-2.0

#include "agent/parts/state_files.hpp"

#include <utility>

namespace berth::agent {

Result<StateFiles> open_state_files(Process& process) {
  const std::string& root = process.settings.paths.root;
  auto lock = RootLock::take(root);
  if (!lock) return fail(lock.error());
  auto in_hand = std::make_unique<InHandFile>(root + "/in-hand", process.log);
  auto store =
      SqliteStore::open(process.executor(), process.clock, process.log, root + "/state.db");
  if (!store) return fail(store.error());
  return StateFiles{
      .lock = std::move(*lock), .in_hand = std::move(in_hand), .store = std::move(*store)};
}

}  // namespace berth::agent
