// SPDX-License-Identifier: Apache-2.0

// An HTTP/2 server that sends what a test wants, right or wrong: frames are written by hand.
//
// A separate thread accepts one connection after another. It greets, then answers the headers of
// each request with the bytes that `answer` returns for the stream; everything else from the client
// is counted and otherwise ignored.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace berth {

enum class Frame : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kGoAway = 7,
};
constexpr std::uint8_t kEndStream = 1;
constexpr std::uint8_t kEndHeaders = 4;

inline std::string big_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

inline std::string frame(Frame type, std::uint8_t flags, std::uint32_t stream,
                         const std::string& payload) {
  return big_endian(static_cast<std::uint32_t>(payload.size()), 3) + static_cast<char>(type) +
         static_cast<char>(flags) + big_endian(stream, 4) + payload;
}

// Literals without indexing, HPACK's simplest form. Each must be shorter than 127 bytes.
using Headers = std::vector<std::pair<std::string, std::string>>;
inline std::string headers(std::uint32_t stream, const Headers& fields, bool last) {
  std::string block;
  for (const auto& [name, value] : fields) {
    block += '\0';
    block += static_cast<char>(name.size());
    block += name;
    block += static_cast<char>(value.size());
    block += value;
  }
  return frame(Frame::kHeaders, last ? kEndStream | kEndHeaders : kEndHeaders, stream, block);
}
inline std::string begin_answer(std::uint32_t stream) {
  return headers(stream, {{":status", "200"}, {"content-type", "application/grpc"}}, false);
}
inline std::string message(std::uint32_t stream, const std::string& bytes, char compressed = 0) {
  return frame(
      Frame::kData, 0, stream,
      std::string(1, compressed) + big_endian(static_cast<std::uint32_t>(bytes.size()), 4) + bytes);
}
inline std::string end_answer(std::uint32_t stream, const std::string& status = "0") {
  return headers(stream, {{"grpc-status", status}}, true);
}

class RawServer {
 public:
  using Answer = std::function<std::string(std::uint32_t stream)>;

  explicit RawServer(const std::string& path) : listener_(::socket(AF_UNIX, kKind, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const void* raw = &address;
    if (::bind(listener_, static_cast<const sockaddr*>(raw), sizeof address) != 0 ||
        ::listen(listener_, 8) != 0) {
      throw std::runtime_error("cannot listen on " + path);
    }
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;
  ~RawServer() {
    thread_.request_stop();
    thread_.join();
    ::close(listener_);
  }

  // Set before the server is called.
  std::string greeting = frame(Frame::kSettings, 0, 0, "");
  bool answers_pings = true;

  // What it answers from now on; at first, nothing.
  void answer_with(Answer next) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(next);
  }

  [[nodiscard]] int connections() const { return connections_; }
  [[nodiscard]] int count(Frame type) const { return counts_.at(static_cast<std::size_t>(type)); }

 private:
  static constexpr int kKind = SOCK_STREAM | SOCK_CLOEXEC;
  static constexpr std::size_t kPreface = 24;
  static constexpr std::size_t kHead = 9;

  static bool readable(int descriptor) {
    pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&wait, 1, 20) == 1;
  }
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!readable(listener_)) continue;
      const int peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      ++connections_;
      say(peer, greeting);
      std::string come;
      std::array<char, 65536> buffer{};
      bool greeted = false;
      while (!stop.stop_requested()) {
        if (!readable(peer)) continue;
        const auto size = ::read(peer, buffer.data(), buffer.size());
        if (size <= 0) break;
        come.append(buffer.data(), static_cast<std::size_t>(size));
        if (!greeted && come.size() >= kPreface) {
          come.erase(0, kPreface);
          greeted = true;
        }
        while (greeted && take(peer, come)) {
        }
      }
      ::close(peer);
    }
  }
  // Takes one frame off the front.
  bool take(int peer, std::string& come) {
    if (come.size() < kHead) return false;
    const auto byte = [&come](std::size_t at) { return static_cast<unsigned char>(come[at]); };
    const std::size_t length = byte(0) << 16U | byte(1) << 8U | byte(2);
    if (come.size() < kHead + length) return false;
    const auto type = static_cast<Frame>(byte(3));
    const bool acknowledges = (byte(4) & 1U) != 0;
    const std::uint32_t stream = byte(5) << 24U | byte(6) << 16U | byte(7) << 8U | byte(8);
    const std::string payload = come.substr(kHead, length);
    come.erase(0, kHead + length);
    note(type);
    if (type == Frame::kHeaders) say(peer, answer(stream));
    if (type == Frame::kPing && !acknowledges && answers_pings) {
      say(peer, frame(Frame::kPing, 1, 0, payload));
    }
    return true;
  }
  std::string answer(std::uint32_t stream) {
    const std::lock_guard lock(mutex_);
    return answer_(stream);
  }
  void note(Frame type) {
    const auto at = static_cast<std::size_t>(type);
    if (at < counts_.size()) ++counts_.at(at);
  }
  static void say(int peer, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto size = ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
  }

  int listener_;
  std::mutex mutex_{};
  Answer answer_ = [](std::uint32_t) { return std::string(); };
  std::atomic<int> connections_ = 0;
  std::array<std::atomic<int>, 16> counts_{};
  std::jthread thread_;
};

}  // namespace berth
