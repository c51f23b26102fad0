// SPDX-License-Identifier: Apache-2.0

// A socket like the one on which systemd listens, for the notifications of the test's own process:
// NOTIFY_SOCKET names it as long as it lives.
#pragma once

#include <array>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace berth::systemd {

class NotifySocket {
 public:
  enum class Kind { kAbstract, kPath };

  explicit NotifySocket(Kind kind = Kind::kAbstract) {
    static int number = 0;
    const std::string name =
        "/tmp/berth-notify-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // An abstract name begins with a zero byte, which sd_notify(3) writes as '@'.
    const std::size_t skipped = kind == Kind::kAbstract ? 1 : 0;
    name.copy(address.sun_path + skipped, sizeof(address.sun_path) - 1 - skipped);
    if (kind == Kind::kPath) path_ = name;
    const auto size = kind == Kind::kAbstract
                          ? offsetof(sockaddr_un, sun_path) + skipped + name.size()
                          : sizeof(address);
    const void* generic = &address;
    if (::bind(socket_.get(), static_cast<const sockaddr*>(generic),
               static_cast<socklen_t>(size)) != 0)
      throw std::runtime_error("cannot bind " + name);
    ::setenv("NOTIFY_SOCKET", ((kind == Kind::kAbstract ? "@" : "") + name).c_str(), 1);
  }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;
  ~NotifySocket() {
    ::unsetenv("NOTIFY_SOCKET");
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  // The next message; unset if none arrives within the limit.
  std::optional<std::string> next(std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    pollfd wait{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, static_cast<int>(limit.count())) <= 0) return std::nullopt;
    std::array<char, 4096> text{};
    const ssize_t count = ::recv(socket_.get(), text.data(), text.size(), MSG_DONTWAIT);
    if (count < 0) return std::nullopt;
    return std::string(text.data(), static_cast<std::size_t>(count));
  }

 private:
  Descriptor socket_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  std::string path_{};
};

}  // namespace berth::systemd
