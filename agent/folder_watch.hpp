// Tells when something in a folder changed, by inotify.
//
// Everything that can make a file's content new counts: written and closed, moved in or out,
// deleted, a link or mode changed. Opening and writing alone do not: what is being written is known
// by name instead, so that whoever reads for the sake of another file leaves it out. The folder may
// be missing, go away and come back: then its nearest existing parent is watched until it is there.
// What inotify does not tell of (a link in the path that is switched, something mounted over it, a
// linked file's target) is found by looking again now and then. An overflow of the kernel's queue
// is a change like any other: whoever waits reads everything anyway. Loop thread only.
#pragma once

#include <memory>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace berth::agent {

enum class WatchFor {
  kNewFiles,  // a file's content is new as a whole: manifests
  kGrowth,    // bytes were added: logs
};

class FolderWatch {
 public:
  // Fails where inotify is not to be had (too many instances), naming the limit to raise.
  static Result<std::unique_ptr<FolderWatch>> open(boost::asio::any_io_executor executor,
                                                   const Clock& clock, std::string path,
                                                   WatchFor what);
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

  // Completes when something changed since the watch was (re)armed; several changes are one.
  // Cancelled, it throws system_error(operation_aborted).
  [[nodiscard]] boost::asio::awaitable<void> changed();
  // As `changed`, or at that moment: then the path is watched anew, whatever it leads to by now.
  [[nodiscard]] boost::asio::awaitable<void> changed_until(Clock& clock, SteadyTime moment);

  // Names of files that somebody has written to lately and not closed since.
  [[nodiscard]] std::set<std::string> being_written(SteadyTime now) const;

 private:
  struct Impl;
  explicit FolderWatch(std::unique_ptr<Impl> impl);
  boost::asio::awaitable<Result<bool>> next_change();

  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::agent
