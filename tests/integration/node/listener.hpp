// SPDX-License-Identifier: Apache-2.0

// Shared by the servers of this folder: a port, and a process for each connection.
//
// Runs in the containers of tests, linked statically: uses nothing of berth.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace berth::integration {

// Never returns. PID 1 of a container ends on TERM only if it has a handler.
template <typename Serve>
[[noreturn]] void serve_for_ever(std::uint16_t port, const Serve& serve) {
  std::signal(SIGTERM, [](int) { ::_exit(0); });
  std::signal(SIGCHLD, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  const void* generic = &address;
  if (::bind(listening, static_cast<const sockaddr*>(generic), sizeof address) != 0 ||
      ::listen(listening, SOMAXCONN) != 0) {
    std::perror("cannot listen");
    std::exit(1);
  }
  for (;;) {
    const int connection = ::accept(listening, nullptr, nullptr);
    if (connection < 0) continue;
    if (::fork() == 0) {
      ::close(listening);
      serve(connection);
      ::_exit(0);
    }
    ::close(connection);
  }
}

}  // namespace berth::integration
