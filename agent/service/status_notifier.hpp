// SPDX-License-Identifier: Apache-2.0

// Keeps the service's status line up to date: sends it after every change of a pod, of what berthd
// waits for, and of the measured memory, once a second at most. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/service/service_status.hpp"
#include "base/clock.hpp"
#include "base/notification.hpp"
#include "lifecycle/pods/pod_watch.hpp"

namespace berth::agent {

class StatusNotifier {
 public:
  struct Ports {
    std::function<ServiceFacts()> facts{};
    std::function<void(const std::string& line)> notify{};
  };
  StatusNotifier(boost::asio::any_io_executor executor, Clock& clock, Ports ports);

  // Something that the line is made of may have changed.
  void look_again() { bell_.notify(); }

  // Sends the line now, if it has changed.
  void notify();
  // Reports that berthd is stopped: nothing replaces that line until berthd starts again.
  void notify_stopped() { ports_.notify(systemd::stopped_line(shown_)); }

  // Both run until cancelled. The second one looks again whenever a pod changes.
  [[nodiscard]] boost::asio::awaitable<void> notify_until_cancelled();
  [[nodiscard]] boost::asio::awaitable<void> follow(std::shared_ptr<lifecycle::PodWatch> pods);

 private:
  Clock& clock_;
  Ports ports_;
  Notification bell_;
  systemd::ServiceStatus shown_{};
  std::string line_{};
};

}  // namespace berth::agent
