// SPDX-License-Identifier: Apache-2.0

// Runs one attempt at a probe or hook: a command, an HTTP request, a connection, a gRPC call.
//
// All on the loop thread, owned by the awaiting coroutine: a cancelled attempt ends at once and
// leaves nothing behind. A failed attempt is a value, never an exception. The handlers outlive
// their attempts.
//
// Sockets are never closed with a non-zero SO_LINGER (it blocks the loop). HTTP: the answer is read
// to its end, so that TIME_WAIT falls to the server's side; if that is not possible, the connection
// is reset. TCP: closed plainly, reset only while local ports are short. All of them are reset once
// there are so many probes that the connection tracking table fills (connection_tracking).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "cri/runtime.hpp"
#include "probes/attempt.hpp"
#include "probes/target.hpp"
#include "probes/tracking_watch.hpp"

namespace berth {
class GrpcQueue;
}

namespace berth::probes {

class Handlers {
 public:
  Handlers() = default;
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  virtual ~Handlers() = default;

  // `limit`: for the whole attempt, from now. Unset for no limit (hooks). The runtime enforces an
  // exec's limit, in whole seconds.
  [[nodiscard]] virtual boost::asio::awaitable<Attempt> run(Target target,
                                                            std::optional<Nanoseconds> limit) = 0;
};

// Counters of this node's sockets.
struct SocketCounts {
  std::uint64_t resets = 0;        // reset on purpose
  std::uint64_t out_of_ports = 0;  // no local port was free
  std::uint64_t out_of_files = 0;  // no descriptor was free

  bool operator==(const SocketCounts&) const = default;
};

class NodeHandlers final : public Handlers {
 public:
  // `tracking`: where the kernel shows its connection tracking table.
  NodeHandlers(Clock& clock, cri::Runtime& runtime, GrpcQueue& queue,
               std::filesystem::path tracking = "/proc/sys/net/netfilter");
  ~NodeHandlers() override;

  [[nodiscard]] boost::asio::awaitable<Attempt> run(Target target,
                                                    std::optional<Nanoseconds> limit) override;

  [[nodiscard]] SocketCounts sockets() const;
  [[nodiscard]] TrackingReport tracking() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The result of an httpGet hook: the request, and, if HTTPS was answered in plain HTTP, a second
// one without TLS.
struct HttpHookResult {
  std::optional<std::string> error{};  // why it failed, in net/http's words
  bool fell_back = false;              // emit event LifecycleHTTPFallback
  Attempt attempt{};                   // the last one
};
[[nodiscard]] boost::asio::awaitable<HttpHookResult> run_http_hook(
    Handlers& handlers, HttpTarget target, std::optional<Nanoseconds> limit);

}  // namespace berth::probes
