// The Node object of this machine as last known: what the runtime says, asked now and then.
//
// Asked anew every kRefresh and as soon as the runtime (re)appears. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "api/node.hpp"
#include "base/clock.hpp"
#include "base/notification.hpp"
#include "cri/event_stream.hpp"
#include "cri/runtime.hpp"
#include "node/node_config.hpp"
#include "node/node_object.hpp"

namespace berth::agent {

class NodeState {
 public:
  NodeState(boost::asio::any_io_executor executor, Clock& clock, cri::Runtime& runtime,
            cri::Images& images, std::shared_ptr<const node::NodeView> view);

  // Until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> refresh_for_ever();
  // The runtime came or went: look at once.
  void look_again() { bell_.notify(); }

  [[nodiscard]] const api::Node& node() const { return node_; }
  [[nodiscard]] const node::NodeView& view() const { return *view_; }
  [[nodiscard]] const std::optional<cri::Version>& version() const { return seen_.version; }
  // The runtime answered when it was asked last.
  [[nodiscard]] bool runtime_answers() const { return seen_.runtime.has_value(); }
  [[nodiscard]] const std::string& runtime_error() const { return seen_.runtime_error; }

 private:
  boost::asio::awaitable<void> refresh();

  Clock& clock_;
  cri::Runtime& runtime_;
  cri::Images& images_;
  std::shared_ptr<const node::NodeView> view_;
  Notification bell_;
  node::NodeObservations seen_{};
  api::Node node_{};
};

}  // namespace berth::agent
