// SPDX-License-Identifier: Apache-2.0

// Reports changes in a folder, by inotify, wherever the folder's path leads; or only that the path
// leads elsewhere (WatchFor::kName), to a folder or not.
//
// Everything that can change a file's content counts: written and closed, moved in or out, deleted,
// a link or mode changed, and the same for a link's target. Opening and writing alone do not: files
// being written are known by name instead, so that a reader can leave them out. The folder may be
// missing, replaced, removed and recreated. An overflow of the kernel's queue counts as a change:
// its reader reads everything anyway. Mounts over it are not reported (mount_watch.hpp); `follow`
// finds them. Loop thread only.
#pragma once

#include <memory>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/sources/watched_places.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"

namespace berth::agent {

class FolderWatch {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    const Clock& clock;
    BlockingPool& pool;
  };

  // Watches nothing before the first `follow`. Fails if inotify is not available (too many
  // instances), naming the limit to raise.
  static Result<std::unique_ptr<FolderWatch>> open(Services services, std::string path,
                                                   WatchFor what);
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

  // Watches what the path leads to now; returns true if those are other places than before. A
  // reader of the folder calls this first, and then misses nothing later. One caller at a time.
  [[nodiscard]] boost::asio::awaitable<bool> follow();

  // Completes when something changed; several changes count as one. Returns true if the path may
  // lead elsewhere now: then call follow. Cancelled, it throws system_error(operation_aborted).
  [[nodiscard]] boost::asio::awaitable<bool> changed();

  // Names of files that were recently written to and not closed since.
  [[nodiscard]] std::set<std::string> being_written() const;

 private:
  struct Impl;
  explicit FolderWatch(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::agent
