// A command inside a container, over the runtime's streaming server (WebSocket).
//
// CRI's Exec gives a URL on the loopback; channels go through it, the first byte of each message
// names its channel. v5.channel.k8s.io is asked for, v4 taken where v5 is not known (containerd
// 1.6): v4 has no way to say that the input is over, see can_end_stdin. One coroutine sends, one
// receives. Loop thread only.
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
  // Connects; fails with kUnavailable and what the streaming server said. 10 s at most.
  static boost::asio::awaitable<Result<std::unique_ptr<ExecSession>>> connect(
      boost::asio::any_io_executor executor, std::string url);
  ExecSession(const ExecSession&) = delete;
  ExecSession& operator=(const ExecSession&) = delete;
  ~ExecSession();

  // Whether the command can be told that its input is over.
  [[nodiscard]] bool can_end_stdin() const;

  // False: the other side is gone.
  [[nodiscard]] boost::asio::awaitable<bool> send(ExecChannel channel, std::string data);
  [[nodiscard]] boost::asio::awaitable<bool> end_stdin();
  // None: the other side closed.
  [[nodiscard]] boost::asio::awaitable<std::optional<ExecMessage>> receive();

 private:
  struct Impl;
  explicit ExecSession(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

// "http://127.0.0.1:41219/exec/TOKEN" in its parts.
struct StreamUrl {
  std::string host{};
  std::string port{};
  std::string target{};
  bool operator==(const StreamUrl&) const = default;
};
// kUnimplemented for https, kInvalid for what is no URL.
[[nodiscard]] Result<StreamUrl> parse_stream_url(const std::string& url);

}  // namespace berth::agent
