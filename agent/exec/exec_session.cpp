// SPDX-License-Identifier: Apache-2.0

#include "agent/exec/exec_session.hpp"

#include <chrono>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/system/system_error.hpp>

#include "agent/exec/runtime_stream.hpp"
#include "base/no_throw.hpp"
#include "probes/url.hpp"

namespace berth::agent {
namespace {

namespace websocket = boost::beast::websocket;
using boost::asio::ip::tcp;

constexpr auto kConnectTimeout = std::chrono::seconds(10);
// Limits the kernel memory that sent but unread data uses, equally for every session.
constexpr int kSendBuffer = 64 << 10;
constexpr std::size_t kMessageMax = 4U << 20U;
constexpr const char* kProtocolField = "Sec-WebSocket-Protocol";
constexpr const char* kOffered = "v5.channel.k8s.io, v4.channel.k8s.io";
constexpr char kCloseChannel = static_cast<char>(0xff);  // v5: the next byte names the closed
                                                         // channel

void offer_protocols(websocket::request_type& request) {
  request.set(kProtocolField, kOffered);
}

std::unexpected<Error> refused(const std::string& step, const boost::system::error_code& error,
                               const websocket::response_type& response) {
  auto message = "the container runtime's streaming server: " + step + ": " + error.message();
  if (error == websocket::error::upgrade_declined) {
    message += " (HTTP " + std::to_string(response.result_int()) + " " + response.body() + ")";
  }
  return fail(ErrorCode::kUnavailable, message);
}

}  // namespace

struct ExecSession::Impl {
  explicit Impl(boost::asio::any_io_executor executor) : stream(std::move(executor)) {}

  boost::asio::awaitable<bool> send_bytes(std::string message) {
    stream.binary(true);
    const auto sent = co_await stream.async_write(boost::asio::buffer(message), kNoThrow);
    co_return !std::get<0>(sent) && !stream.next_layer().deaf();
  }

  websocket::stream<RuntimeStream> stream;
  bool v5 = false;
};

ExecSession::ExecSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ExecSession::~ExecSession() = default;

boost::asio::awaitable<Result<std::unique_ptr<ExecSession>>> ExecSession::connect(
    boost::asio::any_io_executor executor, std::string url) {
  const auto parts = parse_stream_url(url);
  if (!parts) co_return fail(parts.error());
  auto impl = std::make_unique<Impl>(executor);
  auto& tcp_stream = impl->stream.next_layer().next_layer();
  tcp_stream.expires_after(kConnectTimeout);
  websocket::response_type response;

  tcp::resolver resolver(executor);
  const auto resolved = co_await resolver.async_resolve(parts->host, parts->port, kNoThrow);
  if (std::get<0>(resolved)) co_return refused(parts->host, std::get<0>(resolved), response);
  const auto connected = co_await tcp_stream.async_connect(std::get<1>(resolved), kNoThrow);
  if (std::get<0>(connected)) {
    co_return refused(probes::join_host_port(parts->host, parts->port), std::get<0>(connected),
                      response);
  }
  boost::system::error_code ignored;
  tcp_stream.socket().set_option(tcp::socket::send_buffer_size(kSendBuffer), ignored);
  if (parts->over_tls) {
    const auto failed = co_await impl->stream.next_layer().start_tls();
    if (failed) co_return refused("TLS handshake", failed, response);
  }
  impl->stream.set_option(websocket::stream_base::decorator(&offer_protocols));
  impl->stream.read_message_max(kMessageMax);
  // containerd treats each frame as a separate message, and its first byte as the channel.
  impl->stream.auto_fragment(false);
  const auto host = probes::join_host_port(parts->host, parts->port);
  const auto opened =
      co_await impl->stream.async_handshake(response, host, parts->target, kNoThrow);
  if (std::get<0>(opened)) co_return refused("handshake", std::get<0>(opened), response);
  impl->v5 = response[kProtocolField] == "v5.channel.k8s.io";
  // A session may be silent indefinitely.
  tcp_stream.expires_never();
  co_return std::unique_ptr<ExecSession>(new ExecSession(std::move(impl)));
}

bool ExecSession::can_end_stdin() const {
  return impl_->v5;
}

boost::asio::awaitable<bool> ExecSession::send(ExecChannel channel, std::string data) {
  data.insert(data.begin(), static_cast<char>(channel));
  return impl_->send_bytes(std::move(data));
}

boost::asio::awaitable<bool> ExecSession::end_stdin() {
  return impl_->send_bytes({kCloseChannel, static_cast<char>(ExecChannel::kStdin)});
}

boost::asio::awaitable<std::optional<ExecMessage>> ExecSession::receive() {
  while (true) {
    boost::beast::flat_buffer buffer;
    const auto read = co_await impl_->stream.async_read(buffer, kNoThrow);
    const auto error = std::get<0>(read);
    const auto state = co_await boost::asio::this_coro::cancellation_state;
    if (error && state.cancelled() != boost::asio::cancellation_type::none)
      throw boost::system::system_error(boost::asio::error::operation_aborted);
    if (error) co_return std::nullopt;
    auto text = boost::beast::buffers_to_string(buffer.data());
    // The server opens each channel with an empty message.
    if (text.size() < 2) continue;
    ExecMessage message{.channel = static_cast<ExecChannel>(text.front())};
    text.erase(0, 1);
    message.data = std::move(text);
    co_return message;
  }
}

Result<StreamUrl> parse_stream_url(const std::string& url) {
  const auto parts = probes::parse_url(url);
  if (!parts || parts->authority.empty() || parts->path.empty()) {
    return fail(ErrorCode::kInvalid,
                "the container runtime gave \"" + url + "\" as the URL to stream from");
  }
  return StreamUrl{.host = parts->hostname(),
                   .port = parts->port(),
                   .target = parts->request_target(),
                   .over_tls = parts->scheme == "https"};
}

}  // namespace berth::agent
