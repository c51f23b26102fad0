// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/node_shutdown.hpp"

#include <algorithm>
#include <utility>

#include "lifecycle/ending.hpp"
#include "lifecycle/pods/begin_order.hpp"
#include "lifecycle/shutdown/stopped_pods.hpp"

namespace berth::agent {

NodeShutdown::NodeShutdown(Services services, ConfiguredShutdown configured)
    : services_(std::move(services)),
      configured_(std::move(configured)),
      changed_(services_.executor),
      pods_({.clock = services_.clock,
             .pods = services_.pods,
             .reporter = services_.reporter,
             .changed = changed_}),
      tasks_(services_.executor, services_.on_failure) {}

void NodeShutdown::start() {
  tasks_.spawn("pods' returns", follow_pods());
  if (configured_.groups.empty()) return stay_up();
  services_.login.delay();
  tasks_.spawn("the machine's end", follow_login());
  tasks_.spawn("pods' releases", follow_releases());
  tasks_.spawn("pods' shutdown", stop_pods());
  tasks_.spawn("late pods", pods_.report_late());
}

boost::asio::awaitable<void> NodeShutdown::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
}

boost::asio::awaitable<void> NodeShutdown::carry_out() {
  if (configured_.groups.empty()) co_return;
  if (!shutting_down()) begin();
  state_ = State::kGoesOff;
  while (carried_out_ != announcements_) co_await changed_.wait();
}

boost::asio::awaitable<void> NodeShutdown::follow_login() {
  for (;;) {
    notice();
    complain();
    co_await services_.login.changed();
  }
}

// Without an announcement there is no shutdown: pods do not wait for a login manager.
void NodeShutdown::notice() {
  if (state_ == State::kGoesOff) return;
  const systemd::LoginState& login = services_.login.state();
  const bool heard = login.connected || !login.error.empty();
  if (!heard || login.shutting_down == shutting_down()) {
    if (heard && state_ == State::kUnknown) stay_up();
    return;
  }
  if (login.shutting_down) return begin();
  services_.login.delay();
  services_.pods.close(std::nullopt);
  services_.reporter.announced(false);
  stay_up();
}

ShutdownComplaint NodeShutdown::complaint() const {
  return shutdown_complaint(configured_, services_.login.state());
}

void NodeShutdown::complain() {
  ShutdownComplaint complaint = this->complaint();
  if (complaint == complaint_ || shutting_down()) return;
  complaint_ = std::move(complaint);
  if (!complaint_.empty()) services_.reporter.complains(complaint_.sentence());
}

void NodeShutdown::begin() {
  state_ = State::kAnnounced;
  ++announcements_;
  services_.pods.close(lifecycle::refused_by_shutdown());
  services_.reporter.announced(true);
  changed_.ring();
}

void NodeShutdown::stay_up() {
  state_ = State::kUp;
  changed_.ring();
  bring_back_all();
}

boost::asio::awaitable<void> NodeShutdown::stop_pods() {
  for (;;) {
    while (!shutting_down()) co_await changed_.wait();
    const std::uint64_t mine = announcements_;
    std::function<bool()> goes_on = [this, mine] {
      return shutting_down() && announcements_ == mine;
    };
    co_await pods_.run(configured_.groups, goes_on);
    if (goes_on()) {
      carried_out_ = mine;
      changed_.ring();
      services_.reporter.all_stopped();
      services_.login.let_go();
    }
    while (goes_on()) co_await changed_.wait();
  }
}

boost::asio::awaitable<void> NodeShutdown::follow_pods() {
  const auto watch = services_.pods.watch();
  while (const auto change = co_await watch->next()) {
    changed_.ring();
    if (change->type == lifecycle::ChangeType::kDeleted)
      returning_.erase(change->pod->metadata.uid);
    else if (state_ == State::kUp)
      bring_back(change->pod);
  }
}

boost::asio::awaitable<void> NodeShutdown::follow_releases() {
  for (;;) {
    co_await services_.pods.some_released();
    changed_.ring();
  }
}

// In the order in which pods are started.
void NodeShutdown::bring_back_all() {
  auto pods = services_.pods.snapshot();
  std::ranges::sort(pods, lifecycle::begins_before);
  for (const lifecycle::PodPtr& pod : pods) bring_back(pod);
}

void NodeShutdown::bring_back(const lifecycle::PodPtr& pod) {
  const auto& meta = pod->metadata;
  const bool returns = lifecycle::returns_after_shutdown(*pod) && !meta.deletionTimestamp;
  if (!returns || !returning_.insert(meta.uid).second) return;
  services_.reporter.comes_back(*pod);
  services_.pods.order(meta.uid, lifecycle::returns(services_.clock.wall_now()));
}

}  // namespace berth::agent
