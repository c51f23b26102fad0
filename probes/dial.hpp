// SPDX-License-Identifier: Apache-2.0

// A TCP connection for one attempt, and how it is closed.
//
// Loop thread. Waiting for a name or a connection honours cancellation. Texts are those of Go's net
// package, as the kubelet shows them.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/clock.hpp"
#include "base/descriptor.hpp"
#include "probes/attempt.hpp"
#include "probes/handlers.hpp"
#include "probes/name_lookups.hpp"
#include "probes/tracking_watch.hpp"

namespace berth::probes {

struct DialFailure {
  std::string text{};  // "dial tcp 10.0.0.5:80: connect: connection refused"
  Cause cause = Cause::kOther;
};

// A socket that is not (yet) registered with the loop.
using Dialed = std::expected<Descriptor, DialFailure>;

// Counts the node's sockets; knows for how long local ports have been short.
struct SocketKeeper {
  Clock& clock;
  TrackingWatch tracking;
  NameLookups names;
  SocketCounts counts{};
  SteadyTime ports_short_until{};
  // Filled and consumed at once, never kept over a wait, so that coroutines stay small.
  std::array<char, 16'384> scratch{};
};

// A started connection. Between a node and its pods the kernel has mostly decided it on return:
// then nothing needs to wait, and the loop never sees it.
struct Dialing {
  Descriptor socket{};
  boost::asio::ip::tcp::endpoint to{};
  bool pending = false;
  std::optional<DialFailure> failure{};
};
[[nodiscard]] Dialing start_dial(SocketKeeper& keeper, const boost::asio::ip::tcp::endpoint& to);
[[nodiscard]] boost::asio::awaitable<Dialed> finish_dial(SocketKeeper& keeper, Dialing dialing);

// `std::nullopt` for a name, which must be resolved.
[[nodiscard]] std::optional<boost::asio::ip::tcp::endpoint> endpoint_of(const std::string& host,
                                                                        std::uint16_t port);

// `host`: an address or a name.
[[nodiscard]] boost::asio::awaitable<Dialed> dial(SocketKeeper& keeper, std::string host,
                                                  std::uint16_t port);

// For an established connection that is to be closed: whether to reset it although a plain close
// would do, because local ports are short or the tracking table is filling.
[[nodiscard]] bool is_to_be_reset(SocketKeeper& keeper);

// Does not block, and leaves no TIME_WAIT on this side if `by_reset`.
void close_socket(SocketKeeper& keeper, Descriptor socket, bool by_reset);
void close_socket(SocketKeeper& keeper, boost::asio::ip::tcp::socket& socket, bool by_reset);

[[nodiscard]] Cause cause_of(const boost::system::error_code& error);

// "connection refused": the system's error text as Go writes it.
[[nodiscard]] std::string error_text(const boost::system::error_code& error);

}  // namespace berth::probes
