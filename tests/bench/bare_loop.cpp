// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/bare_loop.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/bench/probe_targets.hpp"
#include "tests/bench/process_usage.hpp"

namespace berth::bench {
namespace {

// As many bytes as a probe of /healthz sends.
constexpr std::string_view kRequest =
    "GET /healthz HTTP/1.1\r\nHost: 127.1.0.1:40000\r\nUser-Agent: kube-probe/1.34\r\n"
    "Accept: */*\r\nConnection: close\r\n\r\n";

void check(bool fine, const char* what) {
  if (fine) return;
  std::perror(what);
  std::abort();
}

void one(BareExchange exchange, const sockaddr_in& to) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0, "connect");
  if (exchange == BareExchange::kWhole) {
    check(::send(socket, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) > 0, "send");
    std::array<char, 1'024> answer{};
    check(::recv(socket, answer.data(), answer.size(), 0) > 0, "recv");
  }
  ::close(socket);
}

}  // namespace

Nanoseconds bare_cost(BareExchange exchange, int count, int addresses, std::uint16_t port) {
  const Nanoseconds before = cpu_time(::getpid());
  for (int i = 0; i < count; ++i) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    ::inet_pton(AF_INET, target_address(i % addresses).c_str(), &to.sin_addr);
    one(exchange, to);
  }
  return (cpu_time(::getpid()) - before) / count;
}

}  // namespace berth::bench
