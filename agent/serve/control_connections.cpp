// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_connections.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <chrono>
#include <string>

#include <grpcpp/server_posix.h>

#include "base/descriptor_limit.hpp"
#include "base/no_throw.hpp"

namespace berth::agent {
namespace {

using boost::asio::posix::stream_descriptor;

constexpr auto kAcceptPause = std::chrono::milliseconds(100);
// A closed connection takes a moment to disappear; until then a burst of callers would use its
// place twice.
constexpr auto kGoneAfter = std::chrono::milliseconds(10);
constexpr int kWaitsForRoom = 50;
constexpr auto kRefusalsReportedEach = std::chrono::minutes(1);

}  // namespace

ControlConnections::ControlConnections(const boost::asio::any_io_executor& loop, Clock& clock,
                                       Log& log, ControlCallers& callers,
                                       TaskGroup::FailureHandler on_failure)
    : loop_(loop),
      clock_(clock),
      log_(log),
      callers_(callers),
      tasks_(loop, std::move(on_failure)) {}

void ControlConnections::listen(Descriptor listening, grpc::Server& server) {
  if (listening_) {
    accept_waiting(*listening_, server);
    listening_->close();
  }
  listening_ = std::make_shared<Listening>(loop_, listening.release());
  tasks_.spawn("control connections", accept_for_ever(listening_, server));
}

boost::asio::awaitable<void> ControlConnections::stop() {
  if (listening_) listening_->close();
  tasks_.request_stop();
  co_await tasks_.join();
}

boost::asio::awaitable<void> ControlConnections::accept_for_ever(
    std::shared_ptr<Listening> listening, grpc::Server& server) {
  while (listening->is_open()) {
    auto caller = accept_caller(listening->native_handle());
    if (!caller) {
      // Out of descriptors: close an idle connection, and retry soon.
      callers_.close_idlest({});
      co_await clock_.sleep_for(kAcceptPause);
    } else if (*caller) {
      const bool is_short = is_kept_descriptor((*caller)->socket.get(), KeptFor::kItself);
      pass_to_server(std::move(**caller), server);
      if (is_short) co_await await_room(*listening);
    } else {
      static_cast<void>(co_await listening->async_wait(stream_descriptor::wait_read, kNoThrow));
    }
  }
}

// Waits until enough connections are gone that the next one no longer gets a reserved descriptor;
// not for ever, as all may have calls.
boost::asio::awaitable<void> ControlConnections::await_room(Listening& listening) {
  // One was closed to replace the new one, another one is closed to make room.
  callers_.close_idlest({});
  for (int times = 0; times < kWaitsForRoom && listening.is_open(); ++times) {
    co_await clock_.sleep_for(kGoneAfter);
    const Descriptor next(::fcntl(listening.native_handle(), F_DUPFD_CLOEXEC, 0));
    if (next.is_open() && !is_kept_descriptor(next.get(), KeptFor::kItself)) co_return;
  }
}

// Takes callers that are already waiting; those without descriptors are refused.
void ControlConnections::accept_waiting(Listening& listening, grpc::Server& server) {
  while (true) {
    auto caller = accept_caller(listening.native_handle());
    if (!caller || !*caller) return;
    pass_to_server(std::move(**caller), server);
  }
}

void ControlConnections::pass_to_server(Caller caller, grpc::Server& server) {
  const bool is_short = is_kept_descriptor(caller.socket.get(), KeptFor::kItself);
  const bool room = callers_.make_room(caller.user, is_short);
  Descriptor own(room ? ::fcntl(caller.socket.get(), F_DUPFD_CLOEXEC, 0) : -1);
  if (!own.is_open()) return log_refused(caller.user);
  // gRPC names a call's peer by the descriptor that it was given.
  auto connection = callers_.connected(caller.user, "fd:" + std::to_string(caller.socket.get()),
                                       [number = own.get()] { ::shutdown(number, SHUT_RDWR); });
  tasks_.spawn("control connection", attend(std::move(own), std::move(connection)));
  grpc::AddInsecureChannelFromFd(&server, caller.socket.release());
}

// Only waits until both ends have closed it.
boost::asio::awaitable<void> ControlConnections::attend(
    Descriptor own, std::unique_ptr<ControlCallers::Connection> /*connection*/) {
  stream_descriptor over(loop_, own.release());
  static_cast<void>(co_await over.async_wait(stream_descriptor::wait_error, kNoThrow));
}

void ControlConnections::log_refused(uid_t user) {
  const SteadyTime now = clock_.steady_now();
  if (reported_at_ != SteadyTime{} && now - reported_at_ < kRefusalsReportedEach) return;
  reported_at_ = now;
  log_.warn(
      "ControlConnectionRefused",
      "a connection of user " + std::to_string(user) +
          " to the control socket was refused: there is no room for another, and all open ones "
          "have "
          "calls under way; end some watches or execs (further refusals within a minute are not "
          "logged)");
}

}  // namespace berth::agent
