// SPDX-License-Identifier: Apache-2.0

// The control socket's connections: accepts them, passes them to the gRPC server, watches for their
// end.
//
// gRPC's own listener stops accepting for good once the process was out of descriptors, and has no
// limits per user; so the loop accepts. gRPC owns a connection's descriptor; ours is a duplicate,
// through which berthd notices the connection's end and can end it. Loop thread only. Call `stop`
// before the server is destroyed.
#pragma once

#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "agent/serve/control_callers.hpp"
#include "agent/serve/control_socket.hpp"
#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "base/log.hpp"
#include "base/task_group.hpp"

namespace grpc {
class Server;
}

namespace berth::agent {

class ControlConnections {
 public:
  ControlConnections(const boost::asio::any_io_executor& loop, Clock& clock, Log& log,
                     ControlCallers& callers, TaskGroup::FailureHandler on_failure);

  // Accepts callers on `listening` from now on, and no longer on the previous one.
  void listen(Descriptor listening, grpc::Server& server);
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  using Listening = boost::asio::posix::stream_descriptor;

  boost::asio::awaitable<void> accept_for_ever(std::shared_ptr<Listening> listening,
                                               grpc::Server& server);
  [[nodiscard]] boost::asio::awaitable<void> await_room(Listening& listening);
  void accept_waiting(Listening& listening, grpc::Server& server);
  void pass_to_server(Caller caller, grpc::Server& server);
  boost::asio::awaitable<void> attend(Descriptor own,
                                      std::unique_ptr<ControlCallers::Connection> connection);
  void log_refused(uid_t user);

  boost::asio::any_io_executor loop_;
  Clock& clock_;
  Log& log_;
  ControlCallers& callers_;
  std::shared_ptr<Listening> listening_{};
  SteadyTime reported_at_{};
  TaskGroup tasks_;
};

}  // namespace berth::agent
