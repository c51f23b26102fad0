// SPDX-License-Identifier: Apache-2.0

// The socket on which systemd would listen: berthd sends READY=1 to it.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/descriptor.hpp"
#include "base/real_clock.hpp"

namespace berth::integration {

class ReadinessSocket {
 public:
  explicit ReadinessSocket(const std::filesystem::path& path) {
    std::filesystem::remove(path);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
    const void* generic = &address;
    if (::bind(socket_.get(), static_cast<const sockaddr*>(generic), sizeof(address)) != 0)
      throw std::runtime_error("cannot bind " + path.string());
  }

  // Readable when there is a message to `take`.
  [[nodiscard]] int descriptor() const { return socket_.get(); }

  // Reads all messages so far, without waiting; returns whether READY=1 was among them, now or
  // earlier.
  bool take() {
    std::array<char, 4096> text{};
    for (;;) {
      const ssize_t count = ::recv(socket_.get(), text.data(), text.size(), MSG_DONTWAIT);
      if (count <= 0) return ready_;
      const std::string_view message(text.data(), static_cast<std::size_t>(count));
      ready_ = ready_ || message.contains("READY=1");
    }
  }

  bool wait(std::chrono::seconds limit) {
    const auto deadline = RealClock{}.steady_now() + limit;
    while (!take()) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - RealClock{}.steady_now());
      if (left.count() <= 0) return false;
      pollfd wait{.fd = socket_.get(), .events = POLLIN, .revents = 0};
      ::poll(&wait, 1, static_cast<int>(left.count()));
    }
    return true;
  }

 private:
  Descriptor socket_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  bool ready_ = false;
};

}  // namespace berth::integration
