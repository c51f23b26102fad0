// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/runtime_eyes.hpp"

#include <stdexcept>

#include <poll.h>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <boost/json.hpp>

#include "base/real_clock.hpp"
#include "cri/cri.grpc.pb.h"

namespace berth::bench {
namespace {

namespace pb = runtime::v1;

std::unique_ptr<pb::RuntimeService::Stub> connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return pb::RuntimeService::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

}  // namespace

struct RuntimeEyes::Client {
  std::unique_ptr<pb::RuntimeService::Stub> runtime;

  // A container that is gone has exited, too.
  [[nodiscard]] bool has_exited(const std::string& id) const {
    grpc::ClientContext context;
    pb::ContainerStatusRequest request;
    request.set_container_id(id);
    pb::ContainerStatusResponse reply;
    const auto status = runtime->ContainerStatus(&context, request, &reply);
    if (!status.ok()) return status.error_code() == grpc::StatusCode::NOT_FOUND;
    return reply.status().state() == pb::CONTAINER_EXITED;
  }
};

RuntimeEyes::RuntimeEyes(const std::string& runtime, Waiting& waiting)
    : waiting_(waiting), client_(new Client{connect(runtime)}) {
  thread_ = std::jthread([this](const std::stop_token& stop) { ask(stop); });
}

RuntimeEyes::~RuntimeEyes() = default;

void RuntimeEyes::exit_event(const std::string& container_id, SteadyTime at) {
  const std::lock_guard lock(mutex_);
  ExitMoments& moments = exits_[container_id];
  if (!moments.event) moments.event = at;
  if (asks_ && !moments.shown) asked_.insert(container_id);
}

void RuntimeEyes::ask_until_exited(const std::string& container_id) {
  const std::lock_guard lock(mutex_);
  if (!exits_[container_id].shown) asked_.insert(container_id);
}

ExitMoments RuntimeEyes::exit_of(const std::string& container_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = exits_.find(container_id);
  return found == exits_.end() ? ExitMoments() : found->second;
}

void RuntimeEyes::ask(const std::stop_token& stop) {
  const RealClock clock;
  while (!stop.stop_requested()) {
    ::poll(nullptr, 0, 1);  // a millisecond
    std::set<std::string> open;
    {
      const std::lock_guard lock(mutex_);
      open = asked_;
    }
    for (const std::string& id : open) {
      const SteadyTime begin = clock.steady_now();
      if (!client_->has_exited(id)) continue;
      const std::lock_guard lock(mutex_);
      exits_[id].shown = begin;
      asked_.erase(id);
      waiting_.notify();
    }
  }
}

SteadyTime RuntimeEyes::finished_at(const std::string& container_id) const {
  grpc::ClientContext context;
  pb::ContainerStatusRequest request;
  request.set_container_id(container_id);
  pb::ContainerStatusResponse reply;
  const auto status = client_->runtime->ContainerStatus(&context, request, &reply);
  if (!status.ok()) throw std::runtime_error("ContainerStatus: " + status.error_message());
  const WallTime finished{Nanoseconds(reply.status().finished_at())};
  const RealClock clock;
  return clock.steady_now() - (clock.wall_now() - finished);
}

pid_t RuntimeEyes::pid_of(const std::string& container_id) const {
  grpc::ClientContext context;
  pb::ContainerStatusRequest request;
  request.set_container_id(container_id);
  request.set_verbose(true);
  pb::ContainerStatusResponse reply;
  const auto status = client_->runtime->ContainerStatus(&context, request, &reply);
  if (!status.ok()) throw std::runtime_error("ContainerStatus: " + status.error_message());
  const auto info = boost::json::parse(reply.info().at("info"));
  return info.at("pid").to_number<pid_t>();
}

Nanoseconds version_call_takes(const std::string& address) {
  constexpr int kCalls = 200;
  const RealClock clock;
  const auto runtime = connect(address);
  SteadyTime begin{};
  for (int call = 0; call <= kCalls; ++call) {
    if (call == 1) begin = clock.steady_now();
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    pb::VersionResponse reply;
    const auto status = runtime->Version(&context, pb::VersionRequest(), &reply);
    if (!status.ok()) throw std::runtime_error("Version: " + status.error_message());
  }
  return (clock.steady_now() - begin) / kCalls;
}

}  // namespace berth::bench
