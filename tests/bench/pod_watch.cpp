// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/pod_watch.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <boost/json.hpp>

#include "base/real_clock.hpp"
#include "control/control.grpc.pb.h"

namespace berth::bench {
namespace {

namespace pb = berth::control::v1;

bool answers(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const void* raw = &address;
  const bool connected = ::connect(fd, static_cast<const sockaddr*>(raw), sizeof address) == 0;
  ::close(fd);
  return connected;
}

std::string text(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

void take_containers(const boost::json::object& status, std::string_view list, PodState& state) {
  const auto* found = status.if_contains(list);
  if (found == nullptr) return;
  for (const auto& item : found->as_array()) {
    const auto& container = item.as_object();
    const std::string id = text(container, "containerID");  // "containerd://0123..."
    const auto slashes = id.find("//");
    if (slashes != std::string::npos) {
      state.containers[text(container, "name")] = id.substr(slashes + 2);
    }
  }
}

PodState state_from(const boost::json::object& pod) {
  PodState state;
  state.uid = text(pod.at("metadata").as_object(), "uid");
  const auto* status = pod.if_contains("status");
  if (status == nullptr) return state;
  state.phase = text(status->as_object(), "phase");
  take_containers(status->as_object(), "initContainerStatuses", state);
  take_containers(status->as_object(), "containerStatuses", state);
  if (const auto* conditions = status->as_object().if_contains("conditions")) {
    state.ready = std::ranges::any_of(conditions->as_array(), [](const auto& item) {
      return text(item.as_object(), "type") == "Ready" &&
             text(item.as_object(), "status") == "True";
    });
  }
  return state;
}

}  // namespace

struct PodWatch::Stream {
  grpc::ClientContext context;
};

PodWatch::PodWatch(std::string socket, std::string node, Waiting& waiting)
    : socket_(std::move(socket)), node_(std::move(node)), waiting_(waiting) {
  thread_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

PodWatch::~PodWatch() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  if (stream_) stream_->context.TryCancel();
}

void PodWatch::follow(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (answers(socket_)) {
      read(stop);
    } else {
      ::poll(nullptr, 0, 1);  // a millisecond
    }
  }
}

void PodWatch::read(const std::stop_token& stop) {
  const RealClock clock;
  const auto stream = std::make_shared<Stream>();
  {
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested()) return;
    stream_ = stream;
  }
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto control = pb::Control::NewStub(
      grpc::CreateCustomChannel("unix:" + socket_, grpc::InsecureChannelCredentials(), arguments));
  pb::WatchPodsRequest request;
  request.set_all_namespaces(true);
  const auto reader = control->WatchPods(&stream->context, request);
  pb::PodChange change;
  while (reader->Read(&change)) {
    const SteadyTime at = clock.steady_now();
    if (change.type() == pb::SYNCED) {
      const std::lock_guard lock(mutex_);
      synced_ = at;
    } else {
      take(change.pod_json(), change.type() == pb::DELETED, at);
    }
    waiting_.notify();
  }
  static_cast<void>(reader->Finish());
  const std::lock_guard lock(mutex_);
  stream_.reset();
}

void PodWatch::take(const std::string& json, bool deleted, SteadyTime at) {
  const auto pod = boost::json::parse(json).as_object();
  PodState state = state_from(pod);
  state.at = at;
  state.gone = deleted;
  state.json = json;
  const std::lock_guard lock(mutex_);
  auto& states = states_[short_name(text(pod.at("metadata").as_object(), "name"))];
  if (!states.empty()) states.back().json.clear();  // only the newest is ever printed
  states.push_back(std::move(state));
}

std::string PodWatch::short_name(const std::string& name) const {
  const std::string ending = "-" + node_;
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

std::vector<PodState> PodWatch::states(const std::string& name, SteadyTime since) const {
  const std::lock_guard lock(mutex_);
  std::vector<PodState> found;
  const auto pod = states_.find(name);
  if (pod == states_.end()) return found;
  std::ranges::copy_if(pod->second, std::back_inserter(found),
                       [&](const PodState& state) { return state.at >= since; });
  return found;
}

PodState PodWatch::wait(const std::string& name, const std::string& what, SteadyTime since,
                        const Condition& condition, Nanoseconds limit) {
  PodState found;
  const auto look = [&] {
    const auto list = states(name, since);
    const auto first = std::ranges::find_if(list, condition);
    if (first != list.end()) found = *first;
    return first != list.end();
  };
  if (waiting_.until(look, limit)) return found;
  const auto all = states(name, {});
  throw std::runtime_error("pod " + name + " was not " + what +
                           " in time; last seen: " + (all.empty() ? "never" : all.back().json));
}

void PodWatch::wait_synced(SteadyTime since, Nanoseconds limit) {
  const auto look = [&] {
    const std::lock_guard lock(mutex_);
    return synced_ >= since;
  };
  if (!waiting_.until(look, limit))
    throw std::runtime_error("berthd does not answer on " + socket_);
}

std::vector<std::string> PodWatch::shown() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, states] : states_) {
    if (!states.back().gone) names.push_back(name);
  }
  return names;
}

void PodWatch::forget_gone() {
  const std::lock_guard lock(mutex_);
  std::erase_if(states_, [](const auto& pod) { return pod.second.back().gone; });
}

}  // namespace berth::bench
