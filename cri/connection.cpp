#include "cri/connection.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

namespace berth::cri {
namespace {

// Lists of a full node exceed gRPC's default of 4 MB; the kubelet takes 16 MB too.
constexpr int kReceiveBytesMax = 16 * 1024 * 1024;

// A runtime that restarts is back within seconds: look often, but never more than 10 times a
// second, and at least every second (the kubelet's own connection waits up to 3 s).
constexpr int kReconnectMillisecondsMin = 100;
constexpr int kReconnectMillisecondsMax = 1000;
// How long one attempt may take: a socket accepts before the runtime behind it does, and a busy one
// needs a while for its first frame.
constexpr int kConnectMilliseconds = 5000;

std::shared_ptr<grpc::Channel> open_channel(const std::string& endpoint) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kReceiveBytesMax);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectMillisecondsMin);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectMilliseconds);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMillisecondsMax);
  // A runtime is on this machine: no proxy of the environment is asked.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // Channels of the same address would share a connection with whoever else opened it.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const std::string target = endpoint.starts_with('/') ? "unix:" + endpoint : endpoint;
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

std::shared_ptr<Connection> connect(const Endpoints& endpoints) {
  auto connection = std::make_shared<Connection>();
  connection->runtime_channel = open_channel(endpoints.runtime);
  const bool same = endpoints.images.empty() || endpoints.images == endpoints.runtime;
  connection->image_channel = same ? connection->runtime_channel : open_channel(endpoints.images);
  connection->runtime = runtime::v1::RuntimeService::NewStub(connection->runtime_channel);
  connection->images = runtime::v1::ImageService::NewStub(connection->image_channel);
  connection->containerd_events =
      containerd::services::events::v1::Events::NewStub(connection->runtime_channel);
  return connection;
}

}  // namespace berth::cri
