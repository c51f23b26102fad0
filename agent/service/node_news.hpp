// SPDX-License-Identifier: Apache-2.0

// Reports when the node becomes ready or not: the events that the kubelet records, with the reason
// in the journal; and when the runtime stops and starts answering. Loop thread only.
#pragma once

#include <functional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/events/event_recorder.hpp"
#include "agent/node_state.hpp"
#include "base/log.hpp"

namespace berth::agent {

class NodeNews {
 public:
  struct Services {
    NodeState& node;
    EventRecorder& events;
    Log& log;
    std::string endpoint{};            // the runtime's, as the configuration has it
    std::function<void()> reported{};  // the node has changed; may be empty
  };
  explicit NodeNews(Services services) : services_(std::move(services)) {}

  // Runs until cancelled; assumes at first that the runtime has answered.
  [[nodiscard]] boost::asio::awaitable<void> report_for_ever();

 private:
  void report_runtime();
  void report_readiness();

  Services services_;
  bool answered_ = true;
  bool ready_ = false;
};

}  // namespace berth::agent
