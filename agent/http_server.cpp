#include "agent/http_server.hpp"

#include <chrono>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "agent/http_slots.hpp"
#include "base/descriptor_limit.hpp"

namespace berth::agent {
namespace {

namespace http = boost::beast::http;
using boost::asio::ip::tcp;

constexpr std::size_t kFirstRead = 4096;
constexpr std::size_t kBodyMax = 64 * 1024;  // nobody has a reason to send any
constexpr std::uint32_t kHeaderMax = 64 * 1024;
constexpr auto kAnswerTimeout = std::chrono::seconds(30);
constexpr auto kIdleTimeout = std::chrono::seconds(90);  // the kubelet's
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

// Errors of one connection are nobody's business: it is closed.
constexpr auto kNoThrow = boost::asio::as_tuple(boost::asio::use_awaitable);

http::response<http::string_body> to_beast(HttpReply reply, bool keep_alive, unsigned version) {
  http::response<http::string_body> response{static_cast<http::status>(reply.status), version};
  response.set(http::field::content_type, reply.content_type);
  response.set("X-Content-Type-Options", "nosniff");
  if (!reply.allow.empty()) response.set(http::field::allow, reply.allow);
  response.body() = std::move(reply.body);
  response.keep_alive(keep_alive);
  response.prepare_payload();
  return response;
}

HttpReply refusal(const boost::system::error_code& error) {
  if (error == http::error::body_limit) {
    return {.status = 413, .body = "request body larger than 64 KiB\n"};
  }
  if (error == http::error::header_limit) {
    return {.status = 431, .body = "request header larger than 64 KiB\n"};
  }
  return {.status = 400, .body = "bad request: " + error.message() + "\n"};
}

bool is_bad_request(const boost::system::error_code& error) {
  return error && error != http::error::end_of_stream && error != http::error::partial_message &&
         error.category() == http::make_error_code(http::error::bad_method).category();
}

// Until the first byte of the next request, which may take its time.
boost::asio::awaitable<bool> begins(boost::beast::tcp_stream& stream,
                                    boost::beast::flat_buffer& buffer) {
  if (buffer.size() > 0) co_return true;
  stream.expires_after(kIdleTimeout);
  const auto read = co_await stream.async_read_some(buffer.prepare(kFirstRead), kNoThrow);
  buffer.commit(std::get<1>(read));
  co_return !std::get<0>(read);
}

boost::asio::awaitable<void> serve(tcp::socket socket, std::shared_ptr<HttpSources> sources,
                                   HttpSlots& slots, std::chrono::milliseconds head) {
  boost::beast::tcp_stream stream(std::move(socket));
  HttpSlots::Slot slot(slots, [&stream] { stream.close(); });
  boost::beast::flat_buffer buffer;
  for (bool first = true;; first = false) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kHeaderMax);
    parser.body_limit(kBodyMax);
    slot.waits();
    if (!first) {
      const bool begun = co_await begins(stream, buffer);
      if (!begun) break;
    }
    stream.expires_after(head);
    const auto read = co_await http::async_read(stream, buffer, parser, kNoThrow);
    const auto error = std::get<0>(read);
    if (error && !is_bad_request(error)) break;
    const auto& request = parser.get();
    const bool keep_alive = !error && request.keep_alive();
    auto reply = error ? refusal(error)
                       : answer({.method = std::string(request.method_string()),
                                 .target = std::string(request.target())},
                                *sources);
    auto response = to_beast(std::move(reply), keep_alive, request.version());
    if (request.method() == http::verb::head) response.body().clear();
    slot.waits();
    stream.expires_after(kAnswerTimeout);
    const auto written = co_await http::async_write(stream, response, kNoThrow);
    if (std::get<0>(written) || !keep_alive) break;
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
      if (error) {  // out of descriptors, most likely: not at once again
        slots.make_room(true);
        co_await clock.sleep_for(kAcceptPause);
        continue;
      }
      slots.make_room(is_kept_descriptor(std::get<1>(accepted).native_handle()));
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
