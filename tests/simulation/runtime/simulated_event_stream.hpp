// SPDX-License-Identifier: Apache-2.0

// The simulated runtime's events as an agent reads them. One for each life of the agent: the
// constructor subscribes anew, and events from before that are not delivered.
#pragma once

#include "cri/event_stream.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {

class SimulatedEventStream final : public cri::EventStream {
 public:
  explicit SimulatedEventStream(SimulatedRuntime& runtime) : runtime_(runtime) {
    runtime_.subscribe();
  }

  [[nodiscard]] boost::asio::awaitable<cri::Event> next() override { return runtime_.next_event(); }
  void reconnect(std::string /*reason*/) override { runtime_.subscribe(); }
  [[nodiscard]] const cri::ConnectionState& state() const override {
    state_.connected = runtime_.reachable();
    return state_;
  }

 private:
  SimulatedRuntime& runtime_;
  mutable cri::ConnectionState state_{};
};

}  // namespace berth::simulation
