// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_server.hpp"

#include <grpc/support/time.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "agent/serve/control_callers.hpp"
#include "agent/serve/control_connections.hpp"
#include "agent/serve/control_keeper.hpp"
#include "agent/serve/control_service.hpp"
#include "agent/serve/control_socket.hpp"

namespace berth::agent {
namespace {

constexpr std::int64_t kShutdownWithinSeconds = 1;
constexpr int kCallsOfConnection = 100;  // further ones wait on the caller's side; gRPC itself has
                                         // no limit

}  // namespace

struct ControlServer::Impl {
  Impl(GrpcQueue& queue, ControlSources sources, TaskGroup::FailureHandler on_failure)
      : executor(sources.executor),
        clock(sources.clock),
        callers(clock),
        connections(executor, clock, sources.log, callers, on_failure),
        keeper({.executor = executor, .clock = clock, .log = sources.log, .pool = sources.pool},
               {.path = sources.settings.paths.control_socket,
                .group = sources.settings.control_socket_group},
               on_failure),
        service(queue, callers, std::move(sources), std::move(on_failure)) {}

  boost::asio::any_io_executor executor;
  Clock& clock;
  ControlCallers callers;
  ControlConnections connections;
  ControlKeeper keeper;
  ControlService service;
  std::unique_ptr<grpc::Server> server{};
};

ControlServer::ControlServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ControlServer::~ControlServer() = default;

Result<std::unique_ptr<ControlServer>> ControlServer::listen(GrpcQueue& queue,
                                                             ControlSources sources,
                                                             TaskGroup::FailureHandler on_failure) {
  auto socket = listen_on_control_socket(sources.settings.paths.control_socket,
                                         sources.settings.control_socket_group);
  if (!socket) return fail(socket.error());
  auto impl = std::make_unique<Impl>(queue, std::move(sources), std::move(on_failure));
  auto& builder = queue.server_builder();
  builder.RegisterService(&impl->service.wire());
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kCallsOfConnection);
  impl->server = builder.BuildAndStart();
  if (!impl->server) {
    return fail(ErrorCode::kUnavailable, "the control API's server could not be started");
  }
  impl->service.start();
  impl->connections.listen(std::move(socket->socket), *impl->server);
  impl->keeper.start(socket->file, [&part = *impl](Descriptor listening) {
    part.connections.listen(std::move(listening), *part.server);
  });
  return std::unique_ptr<ControlServer>(new ControlServer(std::move(impl)));
}

boost::asio::awaitable<void> ControlServer::stop() {
  impl_->callers.close_idle();
  co_await impl_->keeper.stop();
  co_await impl_->connections.stop();
  co_await impl_->service.stop();
  // Shutdown blocks until calls end, which they do on the loop, so it runs elsewhere; not in the
  // shared pool either, whose file work may be stuck.
  BlockingPool own(impl_->executor, impl_->clock, {.threads = 1});
  std::function<bool()> work = [server = impl_->server.get()] {
    server->Shutdown(gpr_time_from_seconds(kShutdownWithinSeconds, GPR_TIMESPAN));
    return true;
  };
  co_await own.run("closing the control socket", std::move(work));
  co_await impl_->service.join();
  impl_->server.reset();
}

}  // namespace berth::agent
