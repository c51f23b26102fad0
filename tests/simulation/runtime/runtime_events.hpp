// SPDX-License-Identifier: Apache-2.0

// The event stream of the simulated runtime: events can be lost, doubled and late, and the stream
// can fall silent without an error.
//
// A new subscription begins with kResubscribed; one subscriber at a time. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/notification.hpp"
#include "cri/types.hpp"
#include "tests/simulation/runtime/runtime_calls.hpp"
#include "tests/simulation/runtime/runtime_world.hpp"

namespace berth::simulation {

class RuntimeEvents {
 public:
  RuntimeEvents(RuntimeWorld& world, RuntimeCalls& calls, bool have_exit_code)
      : world_(world), calls_(calls), have_exit_code_(have_exit_code), rung_(world.executor()) {}

  void subscribe();
  void unsubscribe();
  [[nodiscard]] boost::asio::awaitable<cri::Event> next();
  void emit(cri::EventType type, const std::string& id,
            std::optional<std::int32_t> exit_code = std::nullopt);
  // No event arrives any more, without any error, until the next subscription.
  void fall_silent();
  void speak_again();

 private:
  void deliver(cri::Event event, Nanoseconds delay);

  RuntimeWorld& world_;
  RuntimeCalls& calls_;
  const bool have_exit_code_;
  Notification rung_;
  std::deque<cri::Event> events_{};
  bool subscribed_ = false;
  bool mute_ = false;
};

}  // namespace berth::simulation
