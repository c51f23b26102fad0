// SPDX-License-Identifier: Apache-2.0

// grpc.health.v1.Health/Check on a connection of our own, so that failures can be distinguished.
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <grpc/grpc.h>
#include <grpcpp/channel.h>
#include <grpcpp/create_channel_posix.h>
#include <grpcpp/support/channel_arguments.h>
#include <boost/asio/as_tuple.hpp>

#include "base/grpc_call.hpp"
#include "base/rpc_error.hpp"
#include "probes/attempts.hpp"
#include "probes/health.grpc.pb.h"
#include "probes/received.hpp"
#include "probes/url.hpp"

namespace berth::probes {
namespace {

// gRPC's own wait between connection attempts.
constexpr Nanoseconds kFirstRetry = std::chrono::seconds{1};
constexpr Nanoseconds kLastRetry = std::chrono::seconds{120};

namespace health = grpc::health::v1;
using Health = health::Health::StubInterface;

// "NOT_SERVING"; the number for a value without a name, which a newer server may send.
std::string serving_status_name(health::HealthCheckResponse::ServingStatus status) {
  const std::string& name = health::HealthCheckResponse::ServingStatus_Name(status);
  return name.empty() ? std::to_string(static_cast<int>(status)) : name;
}

std::string name_of(const GrpcTarget& target) {
  return join_host_port(target.host, std::to_string(target.port));
}

// A duplicate descriptor of the connection, to query the kernel while gRPC uses it, and to close it
// after gRPC has.
class Witness {
 public:
  Witness(SocketKeeper& keeper, int socket)
      : keeper_(keeper), socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { close_socket(keeper_, std::move(socket_), is_to_be_reset(keeper_)); }

  // Whether the server has sent anything at all.
  [[nodiscard]] bool heard() const { return anything_received(socket_.get()); }

 private:
  SocketKeeper& keeper_;
  Descriptor socket_;
};

boost::asio::awaitable<Descriptor> connect_until(SocketKeeper& keeper, GrpcTarget target,
                                                 Progress& progress) {
  for (Nanoseconds wait = kFirstRetry;; wait = std::min(wait * 8 / 5, kLastRetry)) {
    auto dialing = dial(keeper, target.host, target.port);
    auto dialed = co_await std::move(dialing);
    if (dialed) co_return std::move(*dialed);
    if (!progress.refused) {
      progress.refused = std::move(dialed.error());
      progress.took = keeper.clock.steady_now() - progress.begun_at;
    }
    co_await keeper.clock.sleep_for(wait);
  }
}

std::shared_ptr<grpc::Channel> channel_over(int socket, const std::string& name) {
  grpc::ChannelArguments arguments;
  arguments.SetUserAgentPrefix(std::string(kProbeUserAgent));
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, name);
  return grpc::CreateCustomInsecureChannelFromFd(name, socket, arguments);
}

Attempt judge_status(const grpc::Status& status) {
  Attempt attempt{.outcome = Outcome::kFailure, .phase = Phase::kResponse, .cause = Cause::kAnswer};
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    attempt.output = fmt::format(
        "error: this server does not implement the grpc health protocol "
        "(grpc.health.v1.Health): {}",
        status.error_message());
    return attempt;
  }
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) attempt.cause = Cause::kClosed;
  attempt.output =
      fmt::format("error: health rpc probe failed: rpc error: code = {} desc = {}",
                  rpc_code_name(static_cast<int>(status.error_code())), status.error_message());
  return attempt;
}

Attempt judge_reply(const health::HealthCheckResponse& reply) {
  Attempt attempt{.phase = Phase::kDone, .code = static_cast<std::int32_t>(reply.status())};
  if (reply.status() == health::HealthCheckResponse::SERVING) {
    attempt.outcome = Outcome::kSuccess;
    attempt.output = "service healthy";
    return attempt;
  }
  attempt.outcome = Outcome::kFailure;
  attempt.cause = Cause::kAnswer;
  attempt.code.reset();
  attempt.output =
      fmt::format("service unhealthy (responded with \"{}\")", serving_status_name(reply.status()));
  return attempt;
}

}  // namespace

Try grpc_attempt(SocketKeeper& keeper, GrpcQueue& queue, GrpcTarget target,
                 std::optional<Nanoseconds> limit, Progress& progress) {
  progress.phase = Phase::kConnect;
  auto connecting = connect_until(keeper, target, progress);
  auto socket = co_await std::move(connecting);
  progress.took.reset();
  const Witness witness(keeper, socket.get());
  const int at_once = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  const auto channel = channel_over(socket.release(), name_of(target));
  const GrpcService<Health> service{&queue, health::Health::NewStub(channel)};
  health::HealthCheckRequest request;
  request.set_service(target.service);
  std::optional<Nanoseconds> left;
  if (limit) left = progress.begun_at + *limit - keeper.clock.steady_now();
  auto calling = unary_outcome(service, &Health::PrepareAsyncCheck, request, left);
  const auto outcome = co_await std::move(calling);
  if (witness.heard()) progress.phase = Phase::kResponse;
  if (outcome.status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    co_return fail(ErrorCode::kTimeout, "Health/Check");
  }
  co_return outcome.status.ok() ? judge_reply(outcome.reply) : judge_status(outcome.status);
}

Attempt grpc_timeout(const GrpcTarget& target, const Progress& progress, Nanoseconds limit) {
  Attempt attempt{.outcome = Outcome::kFailure, .phase = progress.phase, .cause = Cause::kTimeout};
  if (progress.phase == Phase::kResponse) {
    attempt.output =
        fmt::format("timeout: health rpc did not complete within {}", go_duration(limit));
    return attempt;
  }
  attempt.output =
      fmt::format("timeout: failed to connect service \"{}\" within {}: context deadline exceeded",
                  name_of(target), go_duration(limit));
  if (progress.refused) {
    attempt.cause = progress.refused->cause;
    if (attempt.cause == Cause::kOurs) {
      attempt.errored = true;
      attempt.outcome = Outcome::kUnknown;
    }
  }
  return attempt;
}

}  // namespace berth::probes
