#include "agent/control_connections.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <chrono>
#include <string>

#include <grpcpp/server_posix.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/descriptor_limit.hpp"

namespace berth::agent {
namespace {

using boost::asio::posix::stream_descriptor;

constexpr auto kNoThrow = boost::asio::as_tuple(boost::asio::use_awaitable);
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
constexpr auto kRefusalsToldEach = std::chrono::minutes(1);

}  // namespace

ControlConnections::ControlConnections(const boost::asio::any_io_executor& loop, Clock& clock,
                                       Log& log, ControlCallers& callers,
                                       TaskGroup::FailureHandler on_failure)
    : loop_(loop),
      clock_(clock),
      log_(log),
      callers_(callers),
      listening_(loop),
      tasks_(loop, std::move(on_failure)) {}

void ControlConnections::start(Descriptor listening, grpc::Server& server) {
  listening_.assign(listening.release());
  tasks_.spawn("control connections", accept_for_ever(server));
}

boost::asio::awaitable<void> ControlConnections::stop() {
  listening_.close();
  tasks_.request_stop();
  co_await tasks_.join();
}

boost::asio::awaitable<void> ControlConnections::accept_for_ever(grpc::Server& server) {
  for (;;) {
    auto caller = accept_caller(listening_.native_handle());
    if (!caller) {
      // Out of descriptors: whoever needs none of them goes, and it is tried again soon.
      callers_.close_idlest({});
      co_await clock_.sleep_for(kAcceptPause);
    } else if (*caller) {
      take(std::move(**caller), server);
    } else {
      co_await listening_.async_wait(stream_descriptor::wait_read, boost::asio::use_awaitable);
    }
  }
}

void ControlConnections::take(Caller caller, grpc::Server& server) {
  const bool room = callers_.make_room(caller.user, is_kept_descriptor(caller.socket.get()));
  Descriptor own(room ? ::fcntl(caller.socket.get(), F_DUPFD_CLOEXEC, 0) : -1);
  if (!own.is_open()) return tell_refused(caller.user);
  // gRPC names a call's peer by the descriptor that it was given.
  auto connection = callers_.connected(caller.user, "fd:" + std::to_string(caller.socket.get()),
                                       [number = own.get()] { ::shutdown(number, SHUT_RDWR); });
  tasks_.spawn("control connection", attend(std::move(own), std::move(connection)));
  grpc::AddInsecureChannelFromFd(&server, caller.socket.release());
}

// Until both ends have let go of it, which is all that happens here.
boost::asio::awaitable<void> ControlConnections::attend(
    Descriptor own, std::unique_ptr<ControlCallers::Connection> /*connection*/) {
  stream_descriptor over(loop_, own.release());
  static_cast<void>(co_await over.async_wait(stream_descriptor::wait_error, kNoThrow));
}

void ControlConnections::tell_refused(uid_t user) {
  const SteadyTime now = clock_.steady_now();
  if (told_at_ != SteadyTime{} && now - told_at_ < kRefusalsToldEach) return;
  told_at_ = now;
  log_.warn(
      "ControlConnectionRefused",
      "a connection of user " + std::to_string(user) +
          " to the control socket was refused: there is no room for another, and all that are "
          "open have calls under way; end some watches or execs (what else is refused within "
          "a minute is not told)");
}

}  // namespace berth::agent
