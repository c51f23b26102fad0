// Carries out one attempt at a probe or hook: a command, an HTTP request, a connection, a gRPC
// call.
//
// All of it on the loop thread, owned by whoever awaits: cancelled, an attempt ends at once and
// nothing of it is left. A failed attempt is a value, never an exception. The handlers outlive
// what they were asked for.
//
// Sockets are never closed with a non-zero SO_LINGER (it blocks the loop). HTTP: the answer is read
// to its end, so that the server's side waits out the connection; where that is not to be had, the
// connection is reset. TCP: closed plainly, reset only while local ports are short. All of them are
// reset once probes are so many that the table of tracked connections fills (connection_tracking).
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

  // `limit`: what the whole attempt may take, from now. None: as long as it takes (hooks).
  // An exec is limited by the runtime, in whole seconds.
  [[nodiscard]] virtual boost::asio::awaitable<Attempt> run(Target target,
                                                            std::optional<Nanoseconds> limit) = 0;
};

// What the sockets of this node came to.
struct SocketCounts {
  std::uint64_t resets = 0;        // closed by reset on purpose
  std::uint64_t out_of_ports = 0;  // no local port was free
  std::uint64_t out_of_files = 0;  // no descriptor was free

  bool operator==(const SocketCounts&) const = default;
};

class NodeHandlers final : public Handlers {
 public:
  // `tracking`: where the kernel shows its table of tracked connections.
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

// An httpGet hook: the request, and where HTTPS was answered in plain HTTP, once more without it.
struct HttpHookResult {
  std::optional<std::string> error{};  // why it failed, in net/http's words
  bool fell_back = false;              // event LifecycleHTTPFallback is due
  Attempt attempt{};                   // the last one
};
[[nodiscard]] boost::asio::awaitable<HttpHookResult> run_http_hook(
    Handlers& handlers, HttpTarget target, std::optional<Nanoseconds> limit);

}  // namespace berth::probes
