// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/probe_targets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace berth::bench {
namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
constexpr int kBacklog = 65'535;

template <class T>
cri::Call<T> refuse() {
  co_return fail(ErrorCode::kUnimplemented, "no containers here");
}

void answer(int epoll, int connection) {
  std::array<char, 1'024> request{};
  const auto size = ::recv(connection, request.data(), request.size(), MSG_DONTWAIT);
  if (size < 0) return;
  if (size > 0) {
    static_cast<void>(::send(connection, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL));
  }
  ::epoll_ctl(epoll, EPOLL_CTL_DEL, connection, nullptr);
  ::close(connection);
}

void accept_all(int epoll, int listener) {
  for (;;) {
    const int connection = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection < 0) return;
    epoll_event event{.events = EPOLLIN, .data = {.fd = connection}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, connection, &event);
  }
}

}  // namespace

std::string target_address(int index) {
  constexpr int kInNet = 250;
  return fmt::format("127.1.{}.{}", index / kInNet, index % kInNet + 1);
}

ProbeTargets::ProbeTargets() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  const bool listening = ::bind(listener_, plain, size) == 0 &&
                         ::listen(listener_, kBacklog) == 0 &&
                         ::getsockname(listener_, plain, &size) == 0;
  if (!listening) std::abort();
  port_ = ntohs(address.sin_port);
}

ProbeTargets::~ProbeTargets() {
  ::close(listener_);
}

void ProbeTargets::serve() const {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{.events = EPOLLIN, .data = {.fd = listener_}};
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener_, &event);
  std::array<epoll_event, 256> ready{};
  for (;;) {
    const int count = ::epoll_wait(epoll, ready.data(), ready.size(), -1);
    for (int i = 0; i < count; ++i) {
      const int socket = ready.at(static_cast<std::size_t>(i)).data.fd;
      if (socket == listener_) {
        accept_all(epoll, listener_);
      } else {
        answer(epoll, socket);
      }
    }
  }
}

cri::Call<cri::Version> NoContainers::version(Context) {
  return refuse<cri::Version>();
}
cri::Call<cri::RuntimeStatus> NoContainers::status(Context) {
  return refuse<cri::RuntimeStatus>();
}
cri::Call<cri::SandboxId> NoContainers::run_pod_sandbox(Context, cri::PodSandboxConfig,
                                                        std::string) {
  return refuse<cri::SandboxId>();
}
cri::Call<cri::Done> NoContainers::stop_pod_sandbox(Context, cri::SandboxId) {
  return refuse<cri::Done>();
}
cri::Call<cri::Done> NoContainers::remove_pod_sandbox(Context, cri::SandboxId) {
  return refuse<cri::Done>();
}
cri::Call<cri::PodSandboxStatus> NoContainers::pod_sandbox_status(Context, cri::SandboxId) {
  return refuse<cri::PodSandboxStatus>();
}
cri::Call<std::vector<cri::PodSandbox>> NoContainers::list_pod_sandbox(Context,
                                                                       cri::SandboxFilter) {
  return refuse<std::vector<cri::PodSandbox>>();
}
cri::Call<cri::ContainerId> NoContainers::create_container(Context, cri::SandboxId,
                                                           cri::ContainerConfig,
                                                           cri::PodSandboxConfig) {
  return refuse<cri::ContainerId>();
}
cri::Call<cri::Done> NoContainers::start_container(Context, cri::ContainerId) {
  return refuse<cri::Done>();
}
cri::Call<cri::Done> NoContainers::stop_container(Context, cri::ContainerId, std::chrono::seconds) {
  return refuse<cri::Done>();
}
cri::Call<cri::Done> NoContainers::remove_container(Context, cri::ContainerId) {
  return refuse<cri::Done>();
}
cri::Call<cri::ContainerStatus> NoContainers::container_status(Context, cri::ContainerId) {
  return refuse<cri::ContainerStatus>();
}
cri::Call<std::vector<cri::Container>> NoContainers::list_containers(Context,
                                                                     cri::ContainerFilter) {
  return refuse<std::vector<cri::Container>>();
}
cri::Call<cri::Done> NoContainers::reopen_container_log(Context, cri::ContainerId) {
  return refuse<cri::Done>();
}
cri::Call<cri::ExecResult> NoContainers::exec_sync(Context, cri::ContainerId,
                                                   std::vector<std::string>, std::chrono::seconds) {
  return refuse<cri::ExecResult>();
}
cri::Call<std::string> NoContainers::exec(Context, cri::ContainerId, std::vector<std::string>, bool,
                                          bool) {
  return refuse<std::string>();
}

}  // namespace berth::bench
