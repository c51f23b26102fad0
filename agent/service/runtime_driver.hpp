// SPDX-License-Identifier: Apache-2.0

// Asks the runtime for its cgroup driver, and chooses berthd's accordingly
// (node/cgroups/cgroup_driver).
//
// Asks at start, before anything is built that depends on the driver, and again once a runtime that
// was silent at start answers. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "agent/settings/settings.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"
#include "node/cgroups/cgroup_driver.hpp"

namespace berth::cri {
struct Connection;
}

namespace berth::agent {

class RuntimeDriver {
 public:
  RuntimeDriver(std::shared_ptr<cri::Connection> connection, const Settings& settings,
                bool systemd_manages_services, Log& log)
      : connection_(std::move(connection)),
        settings_(settings),
        systemd_manages_services_(systemd_manages_services),
        log_(log) {}

  // Runs the loop until the runtime has answered, two seconds at most. kUnavailable, with what to
  // change, if no pod can run here.
  [[nodiscard]] Result<node::CgroupDriver> choose(boost::asio::io_context& loop,
                                                  const TaskGroup::FailureHandler& on_failure);

  // For a runtime that answers now: whether the chosen driver is right. Errors as `choose`.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> confirmed();

 private:
  [[nodiscard]] boost::asio::awaitable<node::DriverChoice> ask() const;

  std::shared_ptr<cri::Connection> connection_;
  const Settings& settings_;
  const bool systemd_manages_services_;
  Log& log_;
  node::DriverChoice choice_{};
};

}  // namespace berth::agent
