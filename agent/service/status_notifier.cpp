// SPDX-License-Identifier: Apache-2.0

#include "agent/service/status_notifier.hpp"

#include <chrono>
#include <utility>

namespace berth::agent {
namespace {

// A pod's start is a handful of changes; the line is for people.
constexpr auto kAtMostEvery = std::chrono::seconds(1);

}  // namespace

StatusNotifier::StatusNotifier(boost::asio::any_io_executor executor, Clock& clock, Ports ports)
    : clock_(clock), ports_(std::move(ports)), bell_(std::move(executor)) {}

void StatusNotifier::notify() {
  shown_ = service_status(ports_.facts(), shown_);
  std::string line = systemd::status_line(shown_);
  if (line == line_) return;
  line_ = std::move(line);
  ports_.notify(line_);
}

boost::asio::awaitable<void> StatusNotifier::notify_until_cancelled() {
  for (;;) {
    notify();
    co_await clock_.sleep_for(kAtMostEvery);
    co_await bell_.wait();
  }
}

boost::asio::awaitable<void> StatusNotifier::follow(std::shared_ptr<lifecycle::PodWatch> pods) {
  for (;;) {
    const auto change = co_await pods->next();
    if (!change) co_return;
    while (pods->poll()) {
    }
    look_again();
  }
}

}  // namespace berth::agent
