// SPDX-License-Identifier: Apache-2.0

// The pods as berthd shows them on its control API's stream, each state with its arrival time.
//
// A separate thread reads the stream, and reopens it whenever berthd comes back: while nothing
// answers, it tries the socket every millisecond.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock_types.hpp"
#include "tests/bench/waiting.hpp"

namespace berth::bench {

struct PodState {
  SteadyTime at{};
  bool gone = false;
  std::string uid{};
  std::string phase{};
  bool ready = false;                               // its condition Ready is True
  std::map<std::string, std::string> containers{};  // ids by name, init containers included
  std::string json{};                               // for messages
};

class PodWatch {
 public:
  using Condition = std::function<bool(const PodState&)>;

  // `node`: pods are shown as NAME-NODE, but named NAME here.
  PodWatch(std::string socket, std::string node, Waiting& waiting);
  PodWatch(const PodWatch&) = delete;
  PodWatch& operator=(const PodWatch&) = delete;
  ~PodWatch();

  // The first state of the pod that arrived at `since` or later and satisfies the condition. Throws
  // std::runtime_error with the last state seen when the limit passes.
  PodState wait(const std::string& name, const std::string& what, SteadyTime since,
                const Condition& condition, Nanoseconds limit);
  // Waits until berthd has sent, after `since`, all existing pods.
  void wait_synced(SteadyTime since, Nanoseconds limit);

  [[nodiscard]] std::vector<PodState> states(const std::string& name, SteadyTime since) const;
  // Names of the pods currently shown.
  [[nodiscard]] std::vector<std::string> shown() const;
  void forget_gone();

 private:
  struct Stream;

  void follow(const std::stop_token& stop);
  void read(const std::stop_token& stop);
  void take(const std::string& json, bool deleted, SteadyTime at);
  [[nodiscard]] std::string short_name(const std::string& name) const;

  std::string socket_;
  std::string node_;
  Waiting& waiting_;
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<PodState>> states_;
  SteadyTime synced_{};
  std::shared_ptr<Stream> stream_;  // while one is open
  std::jthread thread_;
};

}  // namespace berth::bench
