// Tells when something in a folder changed, by inotify, wherever the folder's path leads; or only
// when the path leads elsewhere (WatchFor::kName), be it to a folder or not.
//
// Everything that can make a file's content new counts: written and closed, moved in or out,
// deleted, a link or mode changed, the same of what a link leads to. Opening and writing alone do
// not: what is being written is known by name instead, so that whoever reads for the sake of
// another file leaves it out. The folder may be missing, be replaced, go away and come back. An
// overflow of the kernel's queue is a change like any other: whoever waits reads everything anyway.
// What is mounted over it is not told (mount_watch.hpp); `follow` finds it. Loop thread only.
#pragma once

#include <memory>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/watched_places.hpp"
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

  // Watches nothing before the first `follow`. Fails where inotify is not to be had (too many
  // instances), naming the limit to raise.
  static Result<std::unique_ptr<FolderWatch>> open(Services services, std::string path,
                                                   WatchFor what);
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

  // Watches what the path leads to by now; true: other places than before. Whoever reads the folder
  // calls this first, and misses nothing that comes after. One caller at a time.
  [[nodiscard]] boost::asio::awaitable<bool> follow();

  // Completes when something changed; several changes are one. True: where the path leads may have,
  // and is to be followed. Cancelled, it throws system_error(operation_aborted).
  [[nodiscard]] boost::asio::awaitable<bool> changed();

  // Names of files that somebody has written to lately and not closed since.
  [[nodiscard]] std::set<std::string> being_written() const;

 private:
  struct Impl;
  explicit FolderWatch(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::agent
