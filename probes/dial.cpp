// SPDX-License-Identifier: Apache-2.0

#include "probes/dial.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/no_throw.hpp"
#include "probes/url.hpp"

namespace berth::probes {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// How long the kernel keeps the port of a connection that this side closed first.
constexpr std::chrono::seconds kTimeWait{60};

DialFailure failure(SocketKeeper& keeper, const tcp::endpoint& to, std::string_view call,
                    const boost::system::error_code& error) {
  DialFailure out{
      .text = fmt::format("dial tcp {}: {}: {}",
                          join_host_port(to.address().to_string(), std::to_string(to.port())), call,
                          error_text(error)),
      .cause = cause_of(error)};
  if (error == boost::system::errc::address_not_available && to.address().is_v4()) {
    out.cause = Cause::kOurs;
    ++keeper.counts.out_of_ports;
    keeper.ports_short_until = keeper.clock.steady_now() + kTimeWait;
  } else if (out.cause == Cause::kOurs) {
    ++keeper.counts.out_of_files;
  }
  return out;
}

boost::system::error_code last_error() {
  return {errno, boost::system::system_category()};
}

// How a finished connection attempt ended.
boost::system::error_code outcome_of(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return last_error();
  return {error, boost::system::system_category()};
}

bool is_decided(int socket) {
  pollfd look{.fd = socket, .events = POLLOUT, .revents = 0};
  return ::poll(&look, 1, 0) == 1;
}

}  // namespace

Dialing start_dial(SocketKeeper& keeper, const tcp::endpoint& to) {
  Dialing out{.socket = Descriptor(::socket(
                  to.protocol().family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP)),
              .to = to};
  if (!out.socket.is_open()) {
    out.failure = failure(keeper, to, "socket", last_error());
    return out;
  }
  const auto* address = static_cast<const sockaddr*>(to.data());
  if (::connect(out.socket.get(), address, static_cast<socklen_t>(to.size())) == 0) return out;
  auto error = last_error();
  if (error == boost::system::errc::operation_in_progress) {
    out.pending = !is_decided(out.socket.get());
    if (out.pending) return out;
    error = outcome_of(out.socket.get());
  }
  if (error) out.failure = failure(keeper, to, "connect", error);
  return out;
}

asio::awaitable<Dialed> finish_dial(SocketKeeper& keeper, Dialing dialing) {
  if (dialing.failure) co_return std::unexpected(std::move(*dialing.failure));
  if (!dialing.pending) co_return std::move(dialing.socket);
  const auto loop = co_await asio::this_coro::executor;
  tcp::socket socket(loop, dialing.to.protocol(), dialing.socket.release());
  auto waiting = socket.async_wait(tcp::socket::wait_write, kNoThrow);
  const auto outcome = co_await std::move(waiting);
  auto error = std::get<0>(outcome);
  if (!error) error = outcome_of(socket.native_handle());
  if (error) co_return std::unexpected(failure(keeper, dialing.to, "connect", error));
  co_return Descriptor(socket.release());
}

std::optional<tcp::endpoint> endpoint_of(const std::string& host, std::uint16_t port) {
  boost::system::error_code not_an_address;
  const auto address = asio::ip::make_address(host, not_an_address);
  if (not_an_address) return std::nullopt;
  return tcp::endpoint(address, port);
}

asio::awaitable<Dialed> dial(SocketKeeper& keeper, std::string host, std::uint16_t port) {
  if (const auto endpoint = endpoint_of(host, port)) {
    auto connecting = finish_dial(keeper, start_dial(keeper, *endpoint));
    auto dialed = co_await std::move(connecting);
    co_return std::move(dialed);
  }
  auto looking = keeper.names.of(host);
  const Addresses addresses = co_await std::move(looking);
  if (addresses.empty())
    co_return std::unexpected(
        DialFailure{.text = fmt::format("dial tcp: lookup {}: no such host", host)});
  std::optional<DialFailure> first;
  for (const auto& address : addresses) {
    auto connecting = finish_dial(keeper, start_dial(keeper, tcp::endpoint(address, port)));
    auto dialed = co_await std::move(connecting);
    if (dialed) co_return std::move(dialed);
    if (!first) first = std::move(dialed.error());
  }
  co_return std::unexpected(std::move(*first));
}

bool is_to_be_reset(SocketKeeper& keeper) {
  const bool drains = keeper.tracking.close_one() == Closing::kReset;
  return drains || keeper.clock.steady_now() < keeper.ports_short_until;
}

void close_socket(SocketKeeper& keeper, Descriptor socket, bool by_reset) {
  if (!by_reset) return;  // the destructor closes it
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  ++keeper.counts.resets;
}

void close_socket(SocketKeeper& keeper, tcp::socket& socket, bool by_reset) {
  boost::system::error_code ignored;
  if (!socket.is_open()) return;
  if (by_reset) {
    socket.set_option(asio::socket_base::linger(true, 0), ignored);
    ++keeper.counts.resets;
  }
  socket.close(ignored);
}

Cause cause_of(const boost::system::error_code& error) {
  namespace errc = boost::system::errc;
  if (error == errc::connection_refused) return Cause::kRefused;
  if (error == errc::host_unreachable || error == errc::network_unreachable ||
      error == errc::network_down) {
    return Cause::kUnreachable;
  }
  if (error == errc::connection_reset || error == errc::broken_pipe ||
      error == errc::connection_aborted || error == asio::error::eof) {
    return Cause::kClosed;
  }
  if (error == errc::too_many_files_open || error == errc::too_many_files_open_in_system ||
      error == errc::no_buffer_space || error == errc::not_enough_memory) {
    return Cause::kOurs;
  }
  if (error == errc::timed_out) return Cause::kTimeout;
  return Cause::kOther;
}

std::string error_text(const boost::system::error_code& error) {
  if (error == asio::error::eof) return "EOF";
  std::string text = error.message();
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

}  // namespace berth::probes
