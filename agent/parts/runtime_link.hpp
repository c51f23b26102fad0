// SPDX-License-Identifier: Apache-2.0

// The connection to the container runtime: calls, events, and which cgroup driver it uses.
//
// Makes no call until it is used. Loop thread only; `process` outlives it.
#pragma once

#include <memory>

#include "agent/parts/process.hpp"
#include "agent/service/runtime_driver.hpp"
#include "base/task_group.hpp"
#include "cri/client.hpp"
#include "cri/client_events.hpp"

namespace berth::agent {

struct RuntimeLink {
  explicit RuntimeLink(Process& process);
  RuntimeLink(const RuntimeLink&) = delete;
  RuntimeLink& operator=(const RuntimeLink&) = delete;
  ~RuntimeLink() = default;

  // Ends the stream of events, which must not be read any more.
  [[nodiscard]] boost::asio::awaitable<void> stop();

  TaskGroup tasks;  // of the stream
  std::shared_ptr<cri::Connection> connection;
  RuntimeDriver driver;
  cri::CriClient client;
  cri::ClientEvents events;
};

}  // namespace berth::agent
