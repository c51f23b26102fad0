// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_queue.hpp"

#include <grpcpp/server_builder.h>
#include <boost/asio/post.hpp>

namespace berth {

GrpcQueue::GrpcQueue(boost::asio::any_io_executor loop)
    : loop_(std::move(loop)),
      builder_(std::make_unique<grpc::ServerBuilder>()),
      queue_(builder_->AddCompletionQueue()),
      thread_([this] { wait(); }) {}

GrpcQueue::~GrpcQueue() {
  queue_->Shutdown();
  thread_.join();
}

void GrpcQueue::wait() {
  void* next = nullptr;
  bool ok = false;
  while (queue_->Next(&next, &ok)) {
    boost::asio::post(loop_, [tag = static_cast<GrpcTag*>(next), ok] {
      // Moved out first: the tag may be destroyed or reused before the call returns.
      const auto completed = std::exchange(tag->completed, {});
      completed(ok);
    });
  }
}

}  // namespace berth
