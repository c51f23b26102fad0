// The channels to a runtime and the stubs over them. Private to the client.
//
// Lives and dies on the loop thread, after every call over it has ended (a channel must not die on
// one of gRPC's own threads). gRPC connects by itself, with the first call and again after a
// failure; a call made meanwhile fails at once with kUnavailable.
#pragma once

#include <memory>

#include <grpcpp/channel.h>

#include "cri/client.hpp"
#include "cri/containerd_events.grpc.pb.h"
#include "cri/cri.grpc.pb.h"

namespace berth::cri {

using RuntimeRpc = runtime::v1::RuntimeService::StubInterface::async_interface;
using ImageRpc = runtime::v1::ImageService::StubInterface::async_interface;
using ContainerdEventsRpc =
    containerd::services::events::v1::Events::StubInterface::async_interface;

struct Connection {
  std::shared_ptr<grpc::Channel> runtime_channel;
  std::shared_ptr<grpc::Channel> image_channel;  // often the same
  std::unique_ptr<runtime::v1::RuntimeService::Stub> runtime;
  std::unique_ptr<runtime::v1::ImageService::Stub> images;
  std::unique_ptr<containerd::services::events::v1::Events::Stub> containerd_events;
};

}  // namespace berth::cri
