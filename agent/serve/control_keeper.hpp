// SPDX-License-Identifier: Apache-2.0

// Keeps the control socket where callers look for it, for as long as berthd runs.
//
// Its file may be deleted, moved, replaced or hidden under a mount, and so may each folder on the
// way to it; inotify and the mount table report that. Then another socket is bound there, with the
// same mode and group, and new callers use that one; existing connections notice nothing. A file
// that another process has put in its place stays, unless it is a socket that no process answers
// on: the log names the obstacle, and the socket is bound once that is removed. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/serve/control_socket.hpp"
#include "agent/sources/folder_watch.hpp"
#include "agent/sources/mount_watch.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/notification.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

class ControlKeeper {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    Log& log;
    BlockingPool& pool;
  };
  struct Place {
    std::string path{};
    std::string group{};  // as for listen_on_control_socket
  };
  using Replaced = std::function<void(Descriptor listening)>;

  ControlKeeper(const Services& services, Place place, TaskGroup::FailureHandler on_failure);

  // `file`: of the bound socket; `replaced` receives each later one.
  void start(SocketFile file, Replaced replaced);
  // Deletes the file, if it is ours.
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  struct Look;
  boost::asio::awaitable<void> keep();
  boost::asio::awaitable<void> notice_names();
  boost::asio::awaitable<void> notice_mounts();
  [[nodiscard]] static Look look(const Place& place, SocketFile ours);
  void apply(Look look);
  void log_remade();

  Services services_;
  Place place_;
  SocketFile file_{};
  Replaced replaced_{};
  std::unique_ptr<FolderWatch> names_{};
  std::unique_ptr<MountWatch> mounts_{};
  Notification stirred_;
  std::string trouble_{};  // why it cannot be bound, as last reported; empty if it is bound
  std::optional<SteadyTime> logged_at_{};
  TaskGroup tasks_;
};

}  // namespace berth::agent
