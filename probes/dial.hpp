// A TCP connection for one attempt, and how it ends.
//
// Loop thread. Names are looked up beside the loop (getaddrinfo has no other form); waiting for
// that honours cancellation. Texts are those of Go's net package, as the kubelet shows them.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/clock.hpp"
#include "probes/attempt.hpp"
#include "probes/handlers.hpp"

namespace berth::probes {

struct DialFailure {
  std::string text{};  // "dial tcp 10.0.0.5:80: connect: connection refused"
  Cause cause = Cause::kOther;
};

using Dialed = std::expected<boost::asio::ip::tcp::socket, DialFailure>;

// Sockets of a node, counted; knows for how long local ports have been short.
struct SocketKeeper {
  Clock& clock;
  SocketCounts counts{};
  SteadyTime ports_short_until{};
};

// `host`: an address or a name; `port`: a number.
[[nodiscard]] boost::asio::awaitable<Dialed> dial(SocketKeeper& keeper, std::string host,
                                                  std::string port);

// Without delay, and without TIME_WAIT on this side if `by_reset`.
void close_socket(SocketKeeper& keeper, boost::asio::ip::tcp::socket& socket, bool by_reset);

[[nodiscard]] Cause cause_of(const boost::system::error_code& error);

// "connection refused": the system's words as Go writes them.
[[nodiscard]] std::string error_text(const boost::system::error_code& error);

}  // namespace berth::probes
