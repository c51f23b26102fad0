// Keeps the logs of running containers within their size: looks every ten seconds how large they
// are (nothing tells of a file's growth more cheaply), and rotates those that are due.
//
// What to do with which file is decided by node/log_rotation.hpp; files are touched on the
// blocking pool. A failure is told and tried again at the next look. Loop thread only.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/pod_set.hpp"
#include "node/log_rotation.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

class LogRotator {
 public:
  struct Services {
    Clock& clock;
    Log& log;
    BlockingPool& pool;
    cri::Runtime& runtime;
    const lifecycle::PodSet& pods;
  };

  LogRotator(Services services, node::NodePaths paths, node::LogRotationPolicy policy,
             std::chrono::nanoseconds period)
      : services_(services), paths_(std::move(paths)), policy_(policy), period_(period) {}

  // Until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> run();
  // One look at every running container.
  [[nodiscard]] boost::asio::awaitable<void> look();

 private:
  struct Running {
    std::string id{};
    std::string folder{};
    std::string file{};
  };

  [[nodiscard]] std::vector<Running> running() const;
  [[nodiscard]] boost::asio::awaitable<void> rotate(Running container);
  [[nodiscard]] boost::asio::awaitable<bool> reopen(Running container);

  Services services_;
  node::NodePaths paths_;
  node::LogRotationPolicy policy_;
  std::chrono::nanoseconds period_;
};

}  // namespace berth::agent
