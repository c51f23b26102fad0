// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_server.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/write.hpp>

#include "agent/serve/http_exchange.hpp"
#include "agent/serve/http_slots.hpp"
#include "base/descriptor_limit.hpp"
#include "base/no_throw.hpp"

namespace berth::agent {
namespace {

namespace http = boost::beast::http;
using boost::asio::ip::tcp;

constexpr std::size_t kRead = 4096;
constexpr auto kAnswerTimeout = std::chrono::seconds(30);
constexpr auto kIdleTimeout = std::chrono::seconds(90);  // the kubelet's
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

// Reads until the request is complete; the first byte of another one on the same connection may
// take longer. False if the caller is gone.
boost::asio::awaitable<bool> read_request(boost::beast::tcp_stream& stream, HttpExchange& exchange,
                                          std::chrono::milliseconds first_byte,
                                          std::chrono::milliseconds head) {
  std::vector<char> piece(kRead);
  stream.expires_after(exchange.begun() ? head : first_byte);
  while (!exchange.done()) {
    const auto read = co_await stream.async_read_some(boost::asio::buffer(piece), kNoThrow);
    if (std::get<0>(read)) co_return false;
    if (!exchange.begun()) stream.expires_after(head);
    exchange.take({piece.data(), std::get<1>(read)});
  }
  co_return true;
}

boost::asio::awaitable<void> serve(tcp::socket socket, std::shared_ptr<HttpSources> sources,
                                   HttpSlots& slots, std::chrono::milliseconds head) {
  boost::beast::tcp_stream stream(std::move(socket));
  HttpSlots::Slot slot(slots, [&stream] { stream.close(); });
  std::string rest;
  for (std::chrono::milliseconds first_byte = head;; first_byte = kIdleTimeout) {
    HttpExchange exchange;
    exchange.take(rest);
    slot.waits();
    const bool there = co_await read_request(stream, exchange, first_byte, head);
    if (!there) break;
    const auto response = exchange.answer(*sources);
    slot.waits();
    stream.expires_after(kAnswerTimeout);
    const auto written = co_await http::async_write(stream, response, kNoThrow);
    if (std::get<0>(written) || !exchange.keeps_connection()) break;
    rest = exchange.rest();
  }
  boost::system::error_code ignored;
  stream.socket().shutdown(tcp::socket::shutdown_both, ignored);
}

}  // namespace

struct HttpServer::Impl {
  Impl(boost::asio::any_io_executor executor, Clock& given_clock, HttpSources given,
       TaskGroup::FailureHandler on_failure, HttpLimits limits)
      : clock(given_clock),
        head(limits.head),
        slots(given_clock, limits.connections),
        acceptor(executor),
        sources(std::make_shared<HttpSources>(std::move(given))),
        tasks(executor, std::move(on_failure)) {}

  boost::asio::awaitable<void> accept_for_ever() {
    while (true) {
      auto accepted = co_await acceptor.async_accept(kNoThrow);
      const auto error = std::get<0>(accepted);
      if (error == boost::asio::error::operation_aborted) co_return;
      if (error) {  // most likely out of descriptors: do not retry at once
        slots.make_room(true);
        co_await clock.sleep_for(kAcceptPause);
        continue;
      }
      slots.make_room(
          is_kept_descriptor(std::get<1>(accepted).native_handle(), KeptFor::kItselfAndOperators));
      tasks.spawn("http connection", serve(std::move(std::get<1>(accepted)), sources, slots, head));
    }
  }

  Clock& clock;
  std::chrono::milliseconds head;
  HttpSlots slots;
  tcp::acceptor acceptor;
  std::shared_ptr<HttpSources> sources;
  TaskGroup tasks;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(boost::asio::any_io_executor executor,
                                                       Clock& clock, const std::string& address,
                                                       std::uint16_t port, HttpSources sources,
                                                       TaskGroup::FailureHandler on_failure,
                                                       HttpLimits limits) {
  auto impl = std::make_unique<Impl>(std::move(executor), clock, std::move(sources),
                                     std::move(on_failure), limits);
  try {
    const tcp::endpoint endpoint(boost::asio::ip::make_address(address), port);
    impl->acceptor.open(endpoint.protocol());
    impl->acceptor.set_option(tcp::acceptor::reuse_address(true));
    impl->acceptor.bind(endpoint);
    impl->acceptor.listen();
  } catch (const boost::system::system_error& error) {
    return fail(ErrorCode::kUnavailable, "listening on " + address + ":" + std::to_string(port) +
                                             ": " + error.code().message() +
                                             "; choose another readOnlyPort, or 0 for none");
  }
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

void HttpServer::start() {
  impl_->tasks.spawn("http accept", impl_->accept_for_ever());
}

boost::asio::awaitable<void> HttpServer::stop() {
  impl_->tasks.request_stop();
  co_await impl_->tasks.join();
}

std::uint16_t HttpServer::port() const {
  return impl_->acceptor.local_endpoint().port();
}

}  // namespace berth::agent
