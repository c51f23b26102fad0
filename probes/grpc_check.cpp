// grpc.health.v1.Health/Check on a connection of our own, so that what failed can be told apart.
#include <chrono>
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
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/channel_arguments.h>
#include <boost/asio/as_tuple.hpp>

#include "base/grpc_call.hpp"
#include "probes/attempts.hpp"
#include "probes/health_message.hpp"
#include "probes/received.hpp"
#include "probes/url.hpp"

namespace berth::probes {
namespace {

// As gRPC waits between attempts to connect.
constexpr Nanoseconds kFirstRetry = std::chrono::seconds{1};
constexpr Nanoseconds kLastRetry = std::chrono::seconds{120};

std::string name_of(const GrpcTarget& target) {
  return join_host_port(target.host, std::to_string(target.port));
}

// The one call of the service; its two messages are written and read by hand.
class HealthStub {
 public:
  explicit HealthStub(const std::shared_ptr<grpc::Channel>& channel) : stub_(channel) {}

  using Call = grpc::ClientAsyncResponseReaderInterface<grpc::ByteBuffer>;

  std::unique_ptr<Call> check(grpc::ClientContext* context, const grpc::ByteBuffer& request,
                              grpc::CompletionQueue* queue) {
    auto call = stub_.PrepareUnaryCall(context, "/grpc.health.v1.Health/Check", request, queue);
    return std::unique_ptr<Call>(call.release());
  }

 private:
  grpc::GenericStub stub_;
};

// A second name for the connection, to ask the kernel about it while gRPC uses it.
class Witness {
 public:
  explicit Witness(int socket) : socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() {
    if (socket_ >= 0) ::close(socket_);
  }

  // Whether the server has said anything at all.
  [[nodiscard]] bool heard() const { return anything_received(socket_); }

 private:
  int socket_;
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
                  status_code_name(static_cast<int>(status.error_code())), status.error_message());
  return attempt;
}

Attempt judge_reply(const grpc::ByteBuffer& reply) {
  grpc::Slice slice;
  std::string bytes;
  if (reply.DumpToSingleSlice(&slice).ok()) {
    bytes.assign(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  const std::int32_t serving = read_serving_status(bytes);
  Attempt attempt{.phase = Phase::kDone, .code = serving};
  if (serving == kServing) {
    attempt.outcome = Outcome::kSuccess;
    attempt.output = "service healthy";
    return attempt;
  }
  attempt.outcome = Outcome::kFailure;
  attempt.cause = Cause::kAnswer;
  attempt.code.reset();
  attempt.output =
      fmt::format("service unhealthy (responded with \"{}\")", serving_status_name(serving));
  return attempt;
}

}  // namespace

Try grpc_attempt(SocketKeeper& keeper, GrpcQueue& queue, GrpcTarget target,
                 std::optional<Nanoseconds> limit, Progress& progress) {
  progress.phase = Phase::kConnect;
  auto connecting = connect_until(keeper, target, progress);
  auto socket = co_await std::move(connecting);
  progress.took.reset();
  const Witness witness(socket.get());
  const int at_once = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  const auto channel = channel_over(socket.release(), name_of(target));
  const GrpcService<HealthStub> health{&queue, std::make_unique<HealthStub>(channel)};
  const std::string message = write_check_request(target.service);
  const grpc::Slice slice(message);
  const grpc::ByteBuffer request(&slice, 1);
  std::optional<Nanoseconds> left;
  if (limit) left = progress.begun_at + *limit - keeper.clock.steady_now();
  auto calling = unary_outcome(health, &HealthStub::check, request, left);
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
