// SPDX-License-Identifier: Apache-2.0

#include "ctl/connection.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <grpcpp/create_channel.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "api/time.hpp"
#include "base/descriptor.hpp"
#include "base/real_clock.hpp"
#include "control/status_code.hpp"

namespace berth::ctl {
namespace {

constexpr int kReceiveLimit = 64 << 20;  // a full node's pods as JSON
// gRPC's text when our own deadline has passed; berthd's own texts name what it was waiting for.
constexpr const char* kOwnDeadline = "Deadline Exceeded";

// Whether a process listens there, and if not, why. gRPC would only report "failed to connect".
Result<bool> probe(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof(address.sun_path)) {
    return fail(ErrorCode::kInvalid, fmt::format("the socket path {} is too long", socket));
  }
  std::memcpy(address.sun_path, socket.data(), socket.size());
  const Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!caller.is_open()) return fail(ErrorCode::kUnknown, std::strerror(errno));
  sockaddr generic{};
  static_assert(sizeof(generic) <= sizeof(address));
  const int connected =
      ::connect(caller.get(), static_cast<const sockaddr*>(static_cast<const void*>(&address)),
                sizeof(address));
  const int error = errno;
  if (connected == 0) return true;
  if (error == EACCES || error == EPERM) {
    return fail(ErrorCode::kPermission,
                fmt::format("may not open {}; run as root, or join the group berth "
                            "(usermod -aG berth $USER, then log in again)",
                            socket));
  }
  std::error_code ignored;
  const auto there = std::filesystem::symlink_status(socket, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_socket(there)) {
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot reach berthd: {} is no socket; berthd creates its socket there as "
                    "soon as what is in its place has been moved away",
                    socket));
  }
  return fail(ErrorCode::kUnavailable,
              fmt::format("cannot reach berthd at {}: {}; is it running? (systemctl status berthd; "
                          "--socket or BERTH_SOCKET names another place)",
                          socket, std::strerror(error)));
}

}  // namespace

Connection::Connection(std::string socket, Nanoseconds timeout)
    : socket_(std::move(socket)), timeout_(timeout) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kReceiveLimit);
  stub_ = control::v1::Control::NewStub(
      grpc::CreateCustomChannel("unix:" + socket_, grpc::InsecureChannelCredentials(), arguments));
}

Result<Connection> Connection::open(const std::string& socket, Nanoseconds timeout) {
  const auto reachable = probe(socket);
  if (!reachable) return std::unexpected(reachable.error());
  return Connection(socket, timeout);
}

std::unique_ptr<grpc::ClientContext> Connection::context() const {
  auto context = std::make_unique<grpc::ClientContext>();
  if (timeout_ > Nanoseconds::zero()) {
    const auto deadline = RealClock{}.wall_now() + timeout_;
    context->set_deadline(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(deadline));
  }
  return context;
}

Error Connection::explain(const grpc::Status& status) const {
  Error error = control::to_error(status);
  const bool own = error.message.empty() || error.message == kOwnDeadline;
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED && own) {
    error.message = fmt::format("berthd did not answer within {} (--request-timeout)",
                                api::Duration{timeout_}.to_string());
  } else if (status.error_code() == grpc::StatusCode::UNAVAILABLE && error.message.empty()) {
    error.message = fmt::format("lost the connection to berthd at {}", socket_);
  }
  return error;
}

}  // namespace berth::ctl
