// SPDX-License-Identifier: Apache-2.0

// A command inside a container, over the runtime's streaming server (WebSocket).
//
// CRI's Exec returns a loopback URL; channels are multiplexed over it, the first byte of each
// message names its channel. Requests v5.channel.k8s.io, accepts v4 if v5 is not known (containerd
// 1.6): v4 cannot signal the end of input, see can_end_stdin. One coroutine sends, one receives.
// Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"

namespace berth::agent {

enum class ExecChannel : std::uint8_t {
  kStdin = 0,
  kStdout = 1,
  kStderr = 2,
  kError = 3,
  kResize = 4
};

struct ExecMessage {
  ExecChannel channel = ExecChannel::kStdout;
  std::string data{};
};

class ExecSession {
 public:
  // Connects; fails with kUnavailable and the streaming server's message. 10 s at most.
  static boost::asio::awaitable<Result<std::unique_ptr<ExecSession>>> connect(
      boost::asio::any_io_executor executor, std::string url);
  ExecSession(const ExecSession&) = delete;
  ExecSession& operator=(const ExecSession&) = delete;
  ~ExecSession();

  // Whether the end of input can be signalled to the command.
  [[nodiscard]] bool can_end_stdin() const;

  // False if the other side is gone.
  [[nodiscard]] boost::asio::awaitable<bool> send(ExecChannel channel, std::string data);
  [[nodiscard]] boost::asio::awaitable<bool> end_stdin();
  // `std::nullopt` if the other side closed.
  [[nodiscard]] boost::asio::awaitable<std::optional<ExecMessage>> receive();

 private:
  struct Impl;
  explicit ExecSession(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

// The parts of "http://127.0.0.1:41219/exec/TOKEN".
struct StreamUrl {
  std::string host{};
  std::string port{};
  std::string target{};
  bool over_tls = false;
  bool operator==(const StreamUrl&) const = default;
};
// kInvalid for an invalid URL.
[[nodiscard]] Result<StreamUrl> parse_stream_url(const std::string& url);

}  // namespace berth::agent
