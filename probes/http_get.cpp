// SPDX-License-Identifier: Apache-2.0

// Sends one GET after another, each on its own connection, until an answer is final.
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/write.hpp>

#include "base/deadline.hpp"
#include "base/no_throw.hpp"
#include "probes/answer_reader.hpp"
#include "probes/attempts.hpp"
#include "probes/http_message.hpp"
#include "probes/tls_stream.hpp"

namespace berth::probes {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kReadSize = 4'096;
// As in net/http's client; otherwise only the attempt's own limit ends a handshake.
constexpr std::chrono::seconds kHandshakeLimit{10};
// How long the server has to close after its answer is complete.
constexpr std::chrono::milliseconds kCloseWait{100};

struct Transfer {
  boost::system::error_code error{};
  std::size_t size = 0;
  std::string_view bytes{};  // of a read; valid until the next wait
};

tcp protocol_of(int socket) {
  int family = AF_INET;
  socklen_t size = sizeof family;
  ::getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size);
  return family == AF_INET6 ? tcp::v6() : tcp::v4();
}

// `std::nullopt` if a redirect led to an invalid port.
std::optional<std::uint16_t> port_of(const Url& url) {
  const std::string text = url.port();
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

// A connection that is reset unless the server has closed it.
class Connection {
 public:
  Connection(SocketKeeper& keeper, const asio::any_io_executor& loop, Descriptor socket)
      : keeper_(keeper), socket_(loop) {
    const tcp protocol = protocol_of(socket.get());
    socket_.assign(protocol, socket.release());
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    tls_.reset();
    const bool drains = is_to_be_reset(keeper_);
    close_socket(keeper_, socket_, drains || !closed_by_server_);
  }

  asio::awaitable<Result<std::optional<TlsFailure>>> start_tls(asio::ssl::context& context,
                                                               std::string host) {
    tls_.emplace(socket_, context);
    tls_bytes_.resize(kReadSize);
    return tls_->handshake(std::move(host));
  }

  asio::awaitable<Transfer> write(const std::string& bytes) {
    std::size_t sent = 0;
    if (!tls_) {
      // The kernel mostly takes it as a whole, and then nothing needs to wait.
      const auto size = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size > 0) sent = static_cast<std::size_t>(size);
      if (sent == bytes.size()) co_return Transfer{.size = sent};
    }
    const auto buffer = asio::buffer(bytes) + sent;
    auto writing = tls_ ? asio::async_write(tls_->stream(), buffer, kNoThrow)
                        : asio::async_write(socket_, buffer, kNoThrow);
    const auto outcome = co_await std::move(writing);
    co_return Transfer{.error = std::get<0>(outcome), .size = std::get<1>(outcome)};
  }

  asio::awaitable<Transfer> read() {
    if (!tls_) {
      // Nothing can have arrived before the server has had its turn, so wait first.
      auto waiting = socket_.async_wait(tcp::socket::wait_read, kNoThrow);
      const auto ready = co_await std::move(waiting);
      if (std::get<0>(ready)) co_return Transfer{.error = std::get<0>(ready)};
    }
    if (!tls_) co_return read_now();
    auto reading = tls_->stream().async_read_some(asio::buffer(tls_bytes_), kNoThrow);
    const auto outcome = co_await std::move(reading);
    Transfer transfer{.error = std::get<0>(outcome), .size = std::get<1>(outcome)};
    transfer.bytes = std::string_view(tls_bytes_).substr(0, transfer.size);
    if (transfer.error == asio::error::eof) closed_by_server_ = true;
    co_return transfer;
  }

  // Waits until the server closes; further bytes are ignored.
  asio::awaitable<void> see_it_closed(Clock& clock) {
    if (closed_by_server_ || is_closed_already()) co_return;
    auto waiting = with_deadline(clock, clock.steady_now() + kCloseWait, "close", drain());
    const auto closed = co_await std::move(waiting);
    if (closed) closed_by_server_ = true;
  }

  [[nodiscard]] std::string ends() const {
    boost::system::error_code ignored;
    const auto name = [](const tcp::endpoint& end) {
      return join_host_port(end.address().to_string(), std::to_string(end.port()));
    };
    return fmt::format("{}->{}", name(socket_.local_endpoint(ignored)),
                       name(socket_.remote_endpoint(ignored)));
  }

 private:
  // No bytes and no error if nothing is there after all.
  Transfer read_now() {
    auto& scratch = keeper_.scratch;
    const auto size = ::recv(socket_.native_handle(), scratch.data(), scratch.size(), MSG_DONTWAIT);
    if (size > 0) {
      const auto count = static_cast<std::size_t>(size);
      return {.size = count, .bytes = {scratch.data(), count}};
    }
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return {};
    if (size < 0) return {.error = {errno, boost::system::system_category()}};
    closed_by_server_ = true;
    return {.error = asio::error::eof};
  }

  // Most servers close with their answer: then there is nothing to wait for.
  bool is_closed_already() {
    char rest = 0;
    const auto size = ::recv(socket_.native_handle(), &rest, 1, MSG_DONTWAIT);
    if (size == 0) closed_by_server_ = true;
    return closed_by_server_;
  }

  asio::awaitable<Result<bool>> drain() {
    for (;;) {
      auto waiting = socket_.async_wait(tcp::socket::wait_read, kNoThrow);
      const auto ready = co_await std::move(waiting);
      if (std::get<0>(ready)) co_return fail(ErrorCode::kCancelled, "told to stop");
      const Transfer rest = read_now();
      if (rest.error == asio::error::eof) co_return true;
      if (rest.error) co_return fail(ErrorCode::kUnavailable, "reset");
    }
  }

  SocketKeeper& keeper_;
  tcp::socket socket_;
  std::optional<TlsStream> tls_;
  std::string tls_bytes_{};
  bool closed_by_server_ = false;
};

// The result of one exchange: an answer, or what ended it before.
struct Exchange {
  HttpAnswer answer{};
  std::optional<Attempt> failed{};
  std::optional<Attempt> body_failed{};  // counts only if the answer is final
};

Attempt request_failed(const std::string& url, std::string_view text, Phase phase, Cause cause) {
  Attempt attempt{.outcome = Outcome::kFailure,
                  .output = fmt::format("Get \"{}\": {}", brief_url(url), text),
                  .phase = phase,
                  .cause = cause};
  if (cause == Cause::kOurs) {
    attempt.outcome = Outcome::kUnknown;
    attempt.errored = true;
  }
  return attempt;
}

Attempt body_failed(std::string text, Cause cause) {
  return {.outcome = Outcome::kFailure,
          .errored = true,
          .output = std::move(text),
          .phase = Phase::kBody,
          .cause = cause};
}

std::string transfer_text(const Connection& connection, std::string_view call,
                          const boost::system::error_code& error) {
  return fmt::format("{0} tcp {1}: {0}: {2}", call, connection.ends(), error_text(error));
}

asio::awaitable<std::optional<Attempt>> handshake(SocketKeeper& keeper, Connection& connection,
                                                  TlsContext& tls, const Url& url) {
  auto limited = with_deadline(keeper.clock, keeper.clock.steady_now() + kHandshakeLimit, "TLS",
                               connection.start_tls(tls.get(), url.hostname()));
  const auto outcome = co_await std::move(limited);
  if (!outcome) {
    co_return request_failed(url.str(), "net/http: TLS handshake timeout", Phase::kTls,
                             Cause::kTimeout);
  }
  if (!*outcome) co_return std::nullopt;
  const TlsFailure& failure = **outcome;
  Attempt attempt = request_failed(url.str(), failure.text, Phase::kTls, failure.cause);
  attempt.plain_http_answer = failure.plain_http;
  co_return attempt;
}

// Fills `exchange` from the connection until the answer is complete, cut or broken.
asio::awaitable<void> read_answer(Connection& connection, const Url& url, Progress& progress,
                                  Exchange& exchange) {
  AnswerReader reader;
  while (!reader.complete()) {
    progress.phase = reader.head_read() ? Phase::kBody : Phase::kResponse;
    auto reading = connection.read();
    const Transfer transfer = co_await std::move(reading);
    if (!transfer.error) {
      reader.take(transfer.bytes);
    } else if (transfer.error == asio::error::eof) {
      reader.end_of_input();
    } else {
      reader.fail_transport(transfer_text(connection, "read", transfer.error));
    }
    if (reader.error().empty()) continue;
    const Cause cause = transfer.error ? cause_of(transfer.error) : Cause::kProtocol;
    if (!reader.head_read()) {
      exchange.failed = request_failed(url.str(), reader.error(), Phase::kResponse, cause);
      co_return;
    }
    exchange.body_failed = body_failed(reader.error(), cause);
    break;
  }
  exchange.answer = reader.answer();
}

asio::awaitable<Exchange> ask(SocketKeeper& keeper, TlsContext& tls, const HttpTarget& target,
                              Progress& progress, std::optional<Connection>& connection) {
  Exchange exchange;
  progress.url = target.url.str();
  progress.phase = Phase::kConnect;
  const auto request = render_request(target);
  if (!request) {
    exchange.failed =
        request_failed(progress.url, request.error().message, Phase::kTarget, Cause::kOther);
    co_return exchange;
  }
  const auto port = port_of(target.url);
  if (!port) {
    exchange.failed = request_failed(
        progress.url, fmt::format("dial tcp: address {}: invalid port", target.url.port()),
        Phase::kTarget, Cause::kOther);
    co_return exchange;
  }
  auto dialing = dial(keeper, target.url.hostname(), *port);
  auto dialed = co_await std::move(dialing);
  if (!dialed) {
    exchange.failed =
        request_failed(progress.url, dialed.error().text, Phase::kConnect, dialed.error().cause);
    co_return exchange;
  }
  const auto loop = co_await asio::this_coro::executor;
  connection.emplace(keeper, loop, std::move(*dialed));
  if (target.url.scheme == "https") {
    progress.phase = Phase::kTls;
    auto shaking = handshake(keeper, *connection, tls, target.url);
    exchange.failed = co_await std::move(shaking);
    if (exchange.failed) co_return exchange;
  }
  progress.phase = Phase::kResponse;
  auto writing = connection->write(*request);
  const Transfer written = co_await std::move(writing);
  if (written.error) {
    exchange.failed =
        request_failed(progress.url, transfer_text(*connection, "write", written.error),
                       Phase::kResponse, cause_of(written.error));
    co_return exchange;
  }
  auto reading = read_answer(*connection, target.url, progress, exchange);
  co_await std::move(reading);
  co_return exchange;
}

}  // namespace

Try http_attempt(SocketKeeper& keeper, TlsContext& tls, HttpTarget first, Progress& progress) {
  HttpTarget asked = first;
  for (int requests = 1;; ++requests) {
    std::optional<Connection> connection;
    auto asking = ask(keeper, tls, asked, progress, connection);
    auto exchange = co_await std::move(asking);
    if (exchange.failed) co_return std::move(*exchange.failed);
    auto follow = redirect(exchange.answer, first, asked, requests);
    if (follow.error) {
      co_return request_failed(follow.about, *follow.error, Phase::kResponse, Cause::kProtocol);
    }
    if (follow.next) {
      asked = std::move(*follow.next);
      continue;
    }
    if (exchange.body_failed) {
      exchange.body_failed->code = exchange.answer.status;
      co_return std::move(*exchange.body_failed);
    }
    progress.settled = judge_answer(std::move(exchange.answer));
    progress.took = keeper.clock.steady_now() - progress.begun_at;
    auto closing = connection->see_it_closed(keeper.clock);
    co_await std::move(closing);
    co_return *progress.settled;
  }
}

Attempt http_timeout(const Progress& progress) {
  if (progress.phase == Phase::kBody) {
    return body_failed(
        "context deadline exceeded (Client.Timeout or context cancellation while reading body)",
        Cause::kTimeout);
  }
  return request_failed(
      progress.url, "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
      progress.phase, Cause::kTimeout);
}

}  // namespace berth::probes
