// SPDX-License-Identifier: Apache-2.0

// The control API's server: gRPC on a unix socket, mode 0660, own group.
//
// Calls are answered on the loop (control_calls) or continue there as coroutines of their own
// (control_streams). Stopping ends every call, then the server; the loop must keep running
// meanwhile, and the queue outlives the server.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/serve/control_sources.hpp"
#include "base/grpc_queue.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

class ControlServer {
 public:
  // Replaces a stale socket; leaves one that a process answers on alone. An error names the path
  // and what to do.
  static Result<std::unique_ptr<ControlServer>> listen(GrpcQueue& queue, ControlSources sources,
                                                       TaskGroup::FailureHandler on_failure);
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;
  ~ControlServer();

  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  struct Impl;
  explicit ControlServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::agent
