// SPDX-License-Identifier: Apache-2.0

// The last known Node object of this machine: what the runtime reports, polled.
//
// Queries everything every 30 s, and every 10 s whether the runtime is ready, and whether it
// answers at all: a hanging runtime accepts calls, and nothing else would reveal it for minutes.
// While the runtime is not ready, it is queried every second. As with the kubelet, one that does
// not answer leaves the Node as it is until 30 s after it was last ready. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/node.hpp"
#include "base/clock.hpp"
#include "base/notification.hpp"
#include "cri/event_stream.hpp"
#include "cri/runtime.hpp"
#include "eviction/signal.hpp"
#include "node/node_config.hpp"
#include "node/node_object.hpp"

namespace berth::agent {

// Signals one watcher when more of the Node changed than the time of a heartbeat, and when the
// runtime stops or starts answering.
class NodeWatch {
 public:
  explicit NodeWatch(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {}

  [[nodiscard]] boost::asio::awaitable<void> changed() { return bell_.wait(); }

  void ring() { bell_.notify(); }

 private:
  Notification bell_;
};

class NodeState {
 public:
  NodeState(boost::asio::any_io_executor executor, Clock& clock, cri::Runtime& runtime,
            cri::Images& images, std::shared_ptr<const node::NodeView> view);

  // Runs until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> refresh_for_ever();
  // Makes one call to the runtime, answered or not within `limit`: what is shown after that is
  // current.
  [[nodiscard]] boost::asio::awaitable<void> ask(Nanoseconds limit);
  // Completes when the runtime starts or stops answering, or fails for another reason. One waiter.
  [[nodiscard]] boost::asio::awaitable<void> changed() { return changed_.wait(); }

  // Sets the node's pressure conditions; returns the reasons of the events about changes.
  std::vector<std::string> set_pressure(std::set<eviction::PressureCondition> present);

  // Replaces the node's configuration after a change.
  void set_view(std::shared_ptr<const node::NodeView> view);

  // Whether the machine is about to shut down: then the node is not ready.
  void set_shutting_down(bool shutting_down);

  // Changes from now on.
  [[nodiscard]] std::shared_ptr<NodeWatch> watch();

  [[nodiscard]] const api::Node& node() const { return node_; }
  [[nodiscard]] const node::NodeView& view() const { return *view_; }
  [[nodiscard]] const std::optional<cri::Version>& version() const { return seen_.version; }
  // Whether the runtime answered the last call.
  [[nodiscard]] bool runtime_answers() const { return !silent_since_; }
  // Why it did not; empty if it did.
  [[nodiscard]] const std::string& runtime_error() const { return runtime_error_; }
  // The runtime's own status, as it last answered; unset before that.
  [[nodiscard]] const std::optional<cri::RuntimeStatus>& runtime() const { return seen_.runtime; }
  [[nodiscard]] bool shutting_down() const { return seen_.shutting_down; }
  // Whether pods can be started right now; the condition Ready notices a silent runtime later.
  [[nodiscard]] bool ready() const { return runtime_ready() && !shutting_down(); }
  // Since when calls have failed; `std::nullopt` if the runtime answers.
  [[nodiscard]] std::optional<SteadyTime> silent_since() const { return silent_since_; }
  // When the last round began, whatever its result: it advances as long as the runtime is polled.
  [[nodiscard]] SteadyTime asked_at() const { return asked_at_; }

 private:
  boost::asio::awaitable<void> refresh(bool everything);
  [[nodiscard]] bool runtime_ready() const;
  void ring_if_changed(api::Node before);
  void apply(node::NodeObservations seen);
  void ring();
  [[nodiscard]] node::RuntimeHealth health() const;
  void answers_not(const Error& why, Nanoseconds waited);

  boost::asio::any_io_executor executor_;
  Clock& clock_;
  cri::Runtime& runtime_;
  cri::Images& images_;
  std::shared_ptr<const node::NodeView> view_;
  Notification bell_;  // requests a look now
  Notification changed_;
  SteadyTime refresh_at_{};
  SteadyTime asked_at_{};
  std::optional<SteadyTime> silent_since_;
  std::string runtime_error_{"the container runtime has not answered yet"};
  std::optional<SteadyTime> last_ready_{};  // when the runtime last reported itself ready
  node::NodeObservations seen_{};
  // Unset until measured; then no such condition is shown.
  std::optional<std::set<eviction::PressureCondition>> pressure_{};
  api::Node node_{};
  std::vector<std::weak_ptr<NodeWatch>> watches_{};
};

}  // namespace berth::agent
