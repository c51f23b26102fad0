// SPDX-License-Identifier: Apache-2.0

// Keeps the logs of running containers within their size.
//
// The pods' changes show which containers run; each container's log is checked when it could be due
// (see node::next_log_look), several due at about the same time together. While no container runs,
// nothing happens. node/log_rotation.hpp decides what to do with which file; files are handled on
// the blocking pool, `workers` rotations at once. A failure is reported and retried after an
// interval. Loop thread only.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/notification.hpp"
#include "base/task_group.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/pods/pod_watch.hpp"
#include "node/log_rotation.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

class LogRotator {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    Log& log;
    BlockingPool& pool;
    cri::Runtime& runtime;
    TaskGroup::FailureHandler on_failure{};
  };
  struct Rules {
    node::LogRotationPolicy policy{};
    Nanoseconds interval = std::chrono::seconds(10);
    int workers = 1;
  };

  LogRotator(Services services, node::NodePaths paths, Rules rules);

  // Runs until cancelled, or until the watch has ended.
  [[nodiscard]] boost::asio::awaitable<void> run(std::shared_ptr<lifecycle::PodWatch> pods);

 private:
  struct LogFile {
    std::string pod_uid{};
    std::string container_id{};
    std::string folder{};
    std::string file{};
  };
  struct Watched {
    LogFile log{};
    node::LogLook look{};
    bool rotating = false;  // or waiting for a worker
  };

  [[nodiscard]] boost::asio::awaitable<void> look_for_ever();
  [[nodiscard]] boost::asio::awaitable<void> follow(std::shared_ptr<lifecycle::PodWatch> pods);
  void apply(const lifecycle::PodChange& change);
  [[nodiscard]] std::optional<SteadyTime> next_look() const;
  [[nodiscard]] boost::asio::awaitable<void> look();
  void looked(const LogFile& log, std::optional<std::int64_t> bytes);
  Watched* find(const LogFile& log);
  [[nodiscard]] boost::asio::awaitable<void> work();
  [[nodiscard]] boost::asio::awaitable<void> rotate(LogFile log);
  [[nodiscard]] boost::asio::awaitable<bool> reopen(LogFile log);

  Services services_;
  node::NodePaths paths_;
  Rules rules_;
  Notification bell_;
  TaskGroup tasks_;
  std::map<std::string, std::map<std::string, Watched>> logs_{};  // by pod uid, then by container
                                                                  // id
  std::deque<std::pair<LogFile, node::LogCare>> due_{};
  int working_ = 0;
};

}  // namespace berth::agent
